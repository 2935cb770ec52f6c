import FaceDetection
import Geometry
import Synchronization

/// A detector that finds what it is told to, wherever that would be at the size it is shown.
///
/// All instances of a script share it, so that it tells what any worker was shown.
final class BoxDetector: Sendable {
    struct Broken: Error {}

    /// What workers get: as little as a detector needs.
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
    ///   - boxes: What is found, in pixels of the upright source.
    ///   - source: The upright source's size.
    ///   - surest: The confidence of the first; that of each other is 1 less. Their number, if nil, so that all are sure.
    ///   - isBroken: Whether looking for anything fails.
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

    /// The sizes of the pictures shown, in order.
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
