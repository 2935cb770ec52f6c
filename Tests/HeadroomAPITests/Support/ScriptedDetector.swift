import Dispatch
import FaceDetection
import Geometry
import Synchronization

/// A detector that does what a test tells it to, and counts.
///
/// All instances of one script share it, so it tells how often any worker looked for faces.
final class ScriptedDetector: Sendable {
    struct Broken: Error {}

    private struct Instance: FaceDetector {
        let script: ScriptedDetector
        let name = "scripted"
        let smallestDetectableSide = 80

        mutating func detect(in image: LumaImage, threshold: Double) throws -> [Detection] {
            try script.detect(image)
        }
    }

    private let callCount = Atomic(0)
    private let gate: DispatchSemaphore?
    private let body: @Sendable (_ call: Int, LumaImage) throws -> [Detection]

    /// - Parameters:
    ///   - isGated: Whether every call waits until it is let through by ``release()``.
    ///   - body: What is found; the first call is number 1. By default a face as large as the picture, so that a search
    ///     is over after one look.
    init(
        isGated: Bool = false,
        _ body: @escaping @Sendable (_ call: Int, LumaImage) throws -> [Detection] = { _, image in
            [Detection(box: PixelRect(image.size), confidence: 1)]
        }
    ) {
        gate = isGated ? DispatchSemaphore(value: 0) : nil
        self.body = body
    }

    var model: FaceDetectorModel { FaceDetectorModel(name: "scripted") { Instance(script: self) } }

    /// How many calls have begun.
    var calls: Int { callCount.load(ordering: .sequentiallyConsistent) }

    /// Lets one call through, be it waiting or still to come.
    func release() { gate?.signal() }

    private func detect(_ image: LumaImage) throws -> [Detection] {
        let call = callCount.add(1, ordering: .sequentiallyConsistent).newValue
        gate?.wait()
        return try body(call, image)
    }
}
