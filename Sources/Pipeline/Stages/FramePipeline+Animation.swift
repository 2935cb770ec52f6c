import Framing
import Geometry
import Imaging

extension FramePipeline {
    /// The animated result; nil if the result is still.
    func animated(
        _ plan: FramePlan,
        _ redaction: RedactionStage?,
        _ effects: EffectStage,
        _ stickers: StickerStage?,
        _ times: inout StageTimes
    ) throws(PipelineError) -> EncodedImage? {
        guard let (animationStage, format, output) = animatedResult(plan),
            job.options.redaction == nil || redaction != nil, stickers == nil || stickers?.frames != nil
        else { return nil }
        let start = ContinuousClock.now
        let image = try animationStage.render(
            plan.crops[0],
            effects,
            as: format,
            quality: output.quality?.level,
            copyright: copyright(output),
            redaction: redaction,
            stickers: stickers
        )
        times.encode = .now - start
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
