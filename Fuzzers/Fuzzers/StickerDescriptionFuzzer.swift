@testable import HeadroomAPI
import Pipeline
import Requests

extension Fuzzer {
    /// The file `overlay.json` of a sticker.
    static let stickerDescription = Fuzzer(name: "sticker", maxLength: 1024) {
        [
            #"{"anchor": "eyes", "width": 2.1, "unit": "eyes", "offset": [0, -0.2], "z": "front", "delay": 50}"#,
            #"{"anchor": "head", "width": 1, "stands": true, "frames": ["1.png", "2.gif"], "z": "behind"}"#,
            #"{"anchor": "nose", "width": -1e999, "extra": [[[]]]}"#,
        ].map { Array($0.utf8) }
    } run: { input in
        guard let description = try? StickerDescription(Array(input)) else { return }
        guard let sticker = description.sticker(name: "a", files: []) else {
            preconditionFailure("a valid description makes a sticker")
        }
        precondition((0.01...20).contains(sticker.width) && sticker.x.magnitude <= 20 && sticker.y.magnitude <= 20)
        precondition(description.frames.map { $0.count <= Sticker.maxFrames && !$0.isEmpty } ?? true)
    }
}
