import Encodings
import Geometry

/// A chain of ffmpeg's filters that crops as planned: `sendcmd` moves the window of `crop`.
///
/// The window moves by whole pixels, and keeps its size.
struct FilterScript {
    private let fps: Double
    private let result: PixelSize
    private var commands: [String] = []
    private var last: (x: Int, y: Int)?
    private var window: PixelSize?

    init(fps: Double, result: PixelSize) {
        self.fps = fps
        self.result = result
    }

    mutating func add(_ frame: Int, _ region: FractionalRect) {
        let size = window ?? PixelSize(width: Int(region.width.rounded()), height: Int(region.height.rounded()))
        window = size
        let x = max(0, Int((region.x + (region.width - Double(size.width)) / 2).rounded()))
        let y = max(0, Int((region.y + (region.height - Double(size.height)) / 2).rounded()))
        if let last, last == (x, y) { return }
        last = (x, y)
        // Half a frame early, so that a rounded time does not miss the frame.
        let time = max(0, (Double(frame) - 0.5) / fps)
        commands.append("\(time.text(decimals: 4)) crop x \(x), crop y \(y)")
    }

    var text: String {
        let size = window ?? result
        let scale = size == result ? "" : ",scale=\(result.width):\(result.height)"
        return "sendcmd=c='\(commands.joined(separator: ";\n"))',\n"
            + "crop=w=\(size.width):h=\(size.height):x=0:y=0:exact=1\(scale)\n"
    }
}
