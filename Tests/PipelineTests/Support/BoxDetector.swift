import FaceDetection
import Geometry
import Synchronization

/// A detector that finds the given boxes, scaled to the size of its input.
///
/// All instances share one script, which records the inputs of all workers.
final class BoxDetector: Sendable {
    struct Broken: Error {}

    /// The detector of a worker, with only the required members.
    private struct Instance: FaceDetector {
        let script: BoxDetector
        let name = "boxes"
        let smallestDetectableSide = 80

        mutating func detect(in image: LumaImage, threshold: Double) throws -> [Detection] {
            try script.detect(image)
        }
    }

    private let source: PixelSize
    private let boxes: [PixelRect]
    private let surest: Double
    private let isBroken: Bool
    private let sizes = Mutex<[PixelSize]>([])

    /// - Parameters:
    ///   - boxes: The boxes to find, in pixels of the upright source.
    ///   - source: The size of the upright source.
    ///   - surest: The score of the first box; the score of each following box is lower by 1. Nil means the number of
    ///     boxes, so that all scores are above 0.
    ///   - isBroken: Whether every detection throws.
    init(
        _ boxes: [PixelRect] = [],
        in source: PixelSize = PixelSize(width: 1, height: 1),
        surest: Double? = nil,
        isBroken: Bool = false
    ) {
        self.boxes = boxes
        self.surest = surest ?? Double(boxes.count)
        self.source = source
        self.isBroken = isBroken
    }

    var model: FaceDetectorModel { FaceDetectorModel(name: "boxes") { Instance(script: self) } }

    /// The sizes of the inputs, in order.
    var shown: [PixelSize] { sizes.withLock { $0 } }

    private func detect(_ image: LumaImage) throws -> [Detection] {
        sizes.withLock { $0.append(image.size) }
        if isBroken { throw Broken() }
        let x = Double(image.size.width) / Double(source.width)
        let y = Double(image.size.height) / Double(source.height)
        return boxes.enumerated().map { index, box in
            let left = Int((Double(box.x) * x).rounded())
            let top = Int((Double(box.y) * y).rounded())
            let rect = PixelRect(
                x: left,
                y: top,
                width: Int((Double(box.maxX) * x).rounded()) - left,
                height: Int((Double(box.maxY) * y).rounded()) - top
            )
            return Detection(box: rect, confidence: surest - Double(index))
        }
    }
}
