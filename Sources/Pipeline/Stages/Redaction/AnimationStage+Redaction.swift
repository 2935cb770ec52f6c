import FaceDetection
import Framing
import Geometry
import Imaging

extension AnimationStage {
    /// The masks of all frames.
    ///
    /// - Parameters:
    ///   - redaction: Which heads are redacted, and how.
    ///   - search: The search for redaction.
    ///   - faces: The faces of the plan, each with its frame.
    ///   - detector: The detector of the worker.
    /// - Returns: The masks; nil if there are too many frames to search.
    /// - Throws: ``PipelineError``.
    func redaction(
        _ redaction: Redaction,
        _ search: FaceSearch,
        faces: [Face],
        detector: inout any FaceDetector
    ) throws(PipelineError) -> RedactionStage? {
        guard let pass = passForAllFrames(search.plan) else { return nil }
        if case .numbers(let numbers) = redaction.faces { try RedactionStage.check(numbers, of: faces) }
        var tracks = RedactionTracks()
        let stream = try frames()
        var index = 0
        while let frame = try next(of: stream) {
            let found = try search.everything(
                in: frame.image,
                pass,
                job: job,
                header: header,
                limits: limits,
                detector: &detector
            )
            let numbered = faces.enumerated().filter { $0.element.frame == index }
                .map {
                    (number: $0.offset + 1, head: RedactedHead(box: $0.element.box, mask: RedactionMask($0.element)))
                }
            tracks.add(found.redactable(with: []), numbered: numbered, milliseconds: frame.milliseconds)
            index += 1
        }
        return RedactionStage(style: redaction.style, size: header.size, frames: tracks.masks(of: redaction.faces))
    }
}
