import Framing
import Geometry
import Imaging

/// Adds the placeholder of each crop to the plan: the finished result, scaled down, without stickers and watermark.
///
/// It uses pixels at the smallest sufficient scale, even if finer pixels were decoded for a search. The placeholder is
/// therefore the same if the search is skipped because the faces are known.
struct PlaceholderStage: FrameStage {
    func run(_ work: inout FrameWork, _ draft: inout FrameDraft) throws(PipelineError) {
        let (job, header) = (work.job, work.header)
        guard let kind = job.options.placeholder, job.target.crops == .shapes, let inputs = draft.inputs else { return }
        let stage = work.renderStage(inputs, ImageOutput(format: .png))
        for index in draft.plan.crops.indices {
            let small = draft.plan.crops[index].preview
            let scale = work.decodePlan.scale(for: small)
            let rect = RenderStage.pixels(for: [small], in: header.size(atScale: scale), source: header.size)
            let pixels = try work.source.part(rect, exactlyAt: scale)
            let image = try codec(stage.placeholder(pixels, small))
            draft.plan.crops[index].placeholder = PreviewPixels(image).map { Placeholder(kind, of: $0) }
            try work.context.check()
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
        let left = min(Int((Double(image.x) * across).rounded()), small.output.width - 1)
        let top = min(Int((Double(image.y) * down).rounded()), small.output.height - 1)
        small.image = PixelRect(
            x: left,
            y: top,
            width: min(max(1, Int((Double(image.width) * across).rounded())), small.output.width - left),
            height: min(max(1, Int((Double(image.height) * down).rounded())), small.output.height - top)
        )
        return small
    }
}
