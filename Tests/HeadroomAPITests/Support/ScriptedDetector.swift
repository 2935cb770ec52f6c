import Dispatch
import FaceDetection
import Geometry
import Synchronization

/// A detector with scripted results that counts its calls.
///
/// All instances of one script share one call counter.
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
    ///   - isGated: Whether every call waits until ``release()`` is called for it.
    ///   - body: The detections of a call; the first call has the number 1. By default the detector finds one face as
    ///     large as the image, so that detection ends after one pass.
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

    /// The number of calls that have started.
    var calls: Int { callCount.load(ordering: .sequentiallyConsistent) }

    /// Releases one call, either a waiting one or the next one.
    func release() { gate?.signal() }

    private func detect(_ image: LumaImage) throws -> [Detection] {
        let call = callCount.add(1, ordering: .sequentiallyConsistent).newValue
        gate?.wait()
        return try body(call, image)
    }
}
