import FaceDetection
import Framing
import Imaging

extension Redaction {
    /// Checks that the plan contains all requested face numbers.
    ///
    /// - Throws: ``PipelineError/noSuchFace(index:found:)``.
    func check(_ faces: [Face]) throws(PipelineError) {
        guard case .numbers(let numbers) = self.faces else { return }
        for number in numbers where !faces.indices.contains(number - 1) {
            throw .noSuchFace(index: number, found: faces.count)
        }
    }

    /// Returns the covered heads of an image.
    ///
    /// - Parameters:
    ///   - views: The detections of the redaction search, in each view of the image.
    ///   - numbered: The faces of the plan, in the order of their numbers.
    ///   - known: All faces that framing found in this image, including faces outside the framed part. They are
    ///     redacted even if the redaction search has not found them.
    ///   - shows: Returns whether this image shows a face of the plan; in an animation, the face may be in other frames
    ///     only.
    /// - Returns: Heads in pixels of the source. If the image does not show a face that the job names, or the face that
    ///   must stay visible, every head is covered, because the other heads cannot be told apart.
    /// - Throws: ``PipelineError/noSuchFace(index:found:)``, and the errors of `shows`.
    func heads(
        of views: [DetectionResult],
        numbered: [Face],
        known: [Face],
        shows: (Face) throws(PipelineError) -> Bool
    ) throws(PipelineError) -> [RedactedHead] {
        try check(numbered)
        let heads = known.map { RedactedHead($0) } + views.flatMap(\.redactable)
        switch faces {
        case .all: break
        case .others:
            if let kept = numbered.first, try shows(kept) {
                return heads.filter { !Duplicates.isSame(kept.box, $0.box) }
            }
        case .numbers(let numbers):
            let chosen = numbers.map { numbered[$0 - 1] }
            var areShown = true
            for face in chosen where areShown { areShown = try shows(face) }
            if areShown { return chosen.map { RedactedHead($0) } }
        }
        return heads
    }
}
