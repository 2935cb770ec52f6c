import FoundationEssentials
import Geometry
import Motion

/// The crop of one frame of a stream, as a line of JSON.
struct StreamDocument: Encodable {
    private struct Size: Encodable {
        let width, height: Int
    }

    private let frame: Int
    private let x, y, width, height: Double
    private let source: Size
    private let cut: Bool
    private let shot: Int
    private let faces: Int

    init(_ result: FrameReframer.Result, frame: Int) {
        func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
        let crop = result.plan.crop
        self.frame = frame
        (x, y, width, height) = (rounded(crop.x), rounded(crop.y), rounded(crop.width), rounded(crop.height))
        source = Size(width: result.source.width, height: result.source.height)
        (cut, shot, faces) = (result.plan.isCut, result.plan.shot, result.plan.faces)
    }

    /// The line with its line feed.
    var line: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // Numbers are finite: the planner clamps crops to the frame.
        return ((try? encoder.encode(self)).map(Array.init) ?? []) + [0x0A]
    }
}
