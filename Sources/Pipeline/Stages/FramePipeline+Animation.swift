import FaceDetection
import Framing
import Geometry
import Imaging

extension FramePipeline {
    /// The animated result; nil if the result is still.
    ///
    /// - Parameters:
    ///   - plan: The plan, which gets the number of covered heads.
    ///   - decodePlan: The passes.
    ///   - spent: The pixels that other searches of the job looked at.
    ///   - effects: The effects on every frame.
    ///   - mark: Draws the watermark on every frame; nil for none.
    ///   - detector: The detector of the worker.
    ///   - times: The times of the search and of encoding are added.
    /// - Returns: The encoded file.
    /// - Throws: ``PipelineError``.
    func animated(
        _ plan: inout FramePlan,
        _ decodePlan: DecodePlan,
        spent: Int,
        _ effects: EffectStage,
        _ mark: MarkStage?,
        _ detector: inout any FaceDetector,
        _ times: inout StageTimes
    ) throws(PipelineError) -> EncodedImage? {
        guard let (animationStage, format, output) = animatedResult(plan) else { return nil }
        var stickers = try StickerStage(job, faces: [], limits: limits)
        var masks: FrameMasks?
        if job.options.redaction != nil || stickers != nil {
            let start = ContinuousClock.now
            // One search serves both.
            let passes = job.options.redaction == nil ? decodePlan.search : decodePlan.redactionSearch
            let search = FaceSearch(plan: passes, size: header.size, smallestFace: nil, looksTurned: true)
            let detections = try animationStage.detections(search, spent: spent, detector: &detector)
            times.detect += .now - start
            guard let detections else { return nil }
            stickers?.frames = StickerStage.faces(in: detections)
            if let redaction = job.options.redaction {
                let made = try FrameMasks(redaction, detections, faces: plan.faces, size: header.size)
                plan.coveredHeads = made.headCount
                masks = made
            }
        }
        let start = ContinuousClock.now
        defer { times.encode += .now - start }
        let image = try animationStage.render(
            plan.crops[0],
            effects,
            as: format,
            quality: output.quality?.level,
            copyright: copyright(output),
            redaction: masks,
            stickers: stickers,
            mark: mark
        )
        // One encoding of an animation takes too long to search for its quality.
        if let most = output.maxBytes, image.bytes.count > most { return nil }
        return image
    }

    /// How an animated result is made; nil if the result is still.
    func animatedResult(_ plan: FramePlan) -> (stage: AnimationStage, format: ImageFormat, output: ImageOutput)? {
        guard let animationStage, job.rendering == .scaling, case .image(let output) = job.answer.product,
            let format = output.resolvedAnimated(for: header, size: plan.crops[0].output, limits: limits),
            animationStage.allows(plan.crops[0])
        else { return nil }
        return (animationStage, format, output)
    }
}
