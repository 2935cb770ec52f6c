import Framing
import Geometry
import Imaging

/// The images of a plan.
extension FramePipeline {
    /// Whether the result has one image for each crop.
    var makesEveryImage: Bool {
        if case .images = job.answer.product { true } else { false }
    }

    /// The crops that become images.
    func rendered(_ plan: FramePlan) -> [FramePlan.Crop] {
        makesEveryImage ? plan.crops : Array(plan.crops.prefix(1))
    }

    /// The scale for all images; it does not depend on pixels that a search decoded before, so that equal jobs have
    /// equal images.
    func neededScale(_ plan: FramePlan, _ decodePlan: DecodePlan) -> DecodeScale {
        let needed = rendered(plan).map(decodePlan.scale(for:)).max() ?? decodePlan.firstScale
        return job.needsFaces ? max(needed, decodePlan.firstScale) : needed
    }

    /// Decodes the pixels of the given crops.
    func decode(
        _ crops: [FramePlan.Crop],
        from source: inout SourcePixels,
        atLeast scale: DecodeScale
    ) throws(PipelineError) -> PartialImage {
        let rect = RenderStage.pixels(for: crops, in: header.size(atScale: scale), source: header.size)
        return try source.part(rect, atLeast: scale)
    }

    /// The source's notice of copyright, if results keep it.
    func copyright(_ output: ImageOutput) -> CopyrightNotice? {
        output.keepsCopyright ? CopyrightNotice(of: job.source.array, format: header.format) : nil
    }

    /// The source's gain map, if results keep it.
    private var gainMap: GainMap? {
        guard job.options.hdr == .keep, job.options.keepsPixels else { return nil }
        return GainMap(job.source.array, format: header.format)
    }

    private func renderStage(_ plan: FramePlan, _ effects: EffectStage, _ output: ImageOutput) -> RenderStage {
        RenderStage(
            header: header,
            options: job.options,
            output: output,
            limits: limits,
            effects: effects,
            copyright: copyright(output),
            gainMap: gainMap,
            turn: plan.turn
        )
    }

    func cut(
        _ plan: FramePlan,
        _ effects: EffectStage,
        output: ImageOutput
    ) throws(PipelineError) -> [EncodedImage] {
        let stage = renderStage(plan, effects, output)
        var images: [EncodedImage] = []
        for crop in rendered(plan) {
            images.append(try stage.cut(job.source.array, crop: crop.rect))
            try context.check()
        }
        return images
    }

    func render(
        _ image: PartialImage,
        plan: FramePlan,
        _ effects: EffectStage,
        _ stickers: StickerStage?,
        output: ImageOutput
    ) throws(PipelineError) -> [EncodedImage] {
        if case .drawing(_, let showsCrop) = job.answer.product {
            let stage = DebugStage(
                header: header,
                output: output,
                limits: limits,
                profile: job.options.profile,
                showsCrop: showsCrop
            )
            return [try stage.render(image.image, plan: plan)]
        }
        let stage = renderStage(plan, effects, output)
        var images: [EncodedImage] = []
        for crop in rendered(plan) {
            images.append(try stage.render(image, crop, finish(stickers, crop, output, turn: plan.turn)))
            try context.check()
        }
        return images
    }
}
