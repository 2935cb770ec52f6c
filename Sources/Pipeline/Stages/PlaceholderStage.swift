import Framing
import Geometry
import Imaging

extension FramePipeline {
    /// Adds the placeholder of each crop to a plan: of the finished result, scaled down, without stickers and
    /// watermark.
    mutating func addPlaceholders(to plan: inout FramePlan, _ effects: EffectStage) throws(PipelineError) {
        guard let kind = job.options.placeholder, job.answer.crops == .shapes else { return }
        let stage = renderStage(plan, effects, ImageOutput(format: .png))
        for index in plan.crops.indices {
            let small = plan.crops[index].preview
            let pixels = try decode([small], atLeast: decodePlan.scale(for: small))
            let picture = try codec(stage.picture(pixels, small))
            plan.crops[index].placeholder = PreviewPixels(picture).map { Placeholder(kind, of: $0) }
            try context.check()
        }
    }
}

extension FramePlan.Crop {
    /// The same crop with a small result.
    fileprivate var preview: FramePlan.Crop {
        var small = self
        small.output = PreviewPixels.size(for: output)
        let (across, down) = (
            Double(small.output.width) / Double(output.width), Double(small.output.height) / Double(output.height)
        )
        let left = min(Int((Double(picture.x) * across).rounded()), small.output.width - 1)
        let top = min(Int((Double(picture.y) * down).rounded()), small.output.height - 1)
        small.picture = PixelRect(
            x: left,
            y: top,
            width: min(max(1, Int((Double(picture.width) * across).rounded())), small.output.width - left),
            height: min(max(1, Int((Double(picture.height) * down).rounded())), small.output.height - top)
        )
        return small
    }
}
