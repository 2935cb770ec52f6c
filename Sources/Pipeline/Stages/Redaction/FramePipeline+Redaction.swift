import FaceDetection
import Framing
import Geometry
import Imaging

extension FramePipeline {
    /// What is redacted in the images of a job; both are nil if nothing is, or if the job makes no images.
    struct Masks {
        /// For images of the decoded picture.
        var still: RedactionStage?
        /// For the frames of an animated result; nil if the result is still.
        var animated: RedactionStage?
    }

    /// Searches for the heads to redact.
    ///
    /// The search is the job's own in any case, because findings of another one may come from a cache that other processes
    /// write to.
    ///
    /// - Parameters:
    ///   - plan: The plan, whose faces have numbers.
    ///   - known: All faces that the search for framing found.
    ///   - source: The pixels of the source.
    ///   - decodePlan: The passes.
    ///   - detector: The detector of the worker.
    ///   - times: The time of the search is added to that of detection.
    /// - Returns: The masks.
    /// - Throws: ``PipelineError``.
    func masks(
        _ plan: FramePlan,
        _ known: [Face],
        _ source: inout SourcePixels,
        _ decodePlan: DecodePlan,
        _ detector: inout any FaceDetector,
        _ times: inout StageTimes
    ) throws(PipelineError) -> Masks {
        guard let redaction = job.options.redaction, job.answer.product.output != nil else { return Masks() }
        let (start, decoded) = (ContinuousClock.now, source.duration)
        defer { times.detect += .now - start - (source.duration - decoded) }
        let search = FaceSearch(
            plan: decodePlan.redactionSearch,
            size: header.size,
            smallestFace: nil,
            looksTurned: true
        )
        var masks = Masks()
        if let result = animatedResult(plan) {
            masks.animated = try result.stage.redaction(redaction, search, faces: plan.faces, detector: &detector)
            // An animation with too many bytes becomes its first frame.
            masks.still = masks.animated
            masks.still?.masks = masks.animated?.frames.first ?? []
        }
        // One with too many frames too.
        if masks.animated == nil {
            let findings = try search.everything(&source, detector: &detector, context: context)
            let stage = RedactionStage(style: redaction.style, size: header.size)
            masks.still = stage
            masks.still?.masks = try RedactionStage.masks(of: findings, faces: plan.faces, all: known, redaction)
        }
        return masks
    }

    /// The pixels that results may show.
    ///
    /// - Throws: An error if redaction is asked for and there are no masks, so that no mistake shows a head.
    func redacted(_ pixels: PartialImage, _ masks: Masks) throws(PipelineError) -> PartialImage {
        guard job.options.redaction != nil else { return pixels }
        guard let still = masks.still else { throw .codec(.failed("a redaction without masks")) }
        return try still.applied(to: pixels)
    }
}
