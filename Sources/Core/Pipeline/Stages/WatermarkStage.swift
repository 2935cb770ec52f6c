import Framing
import Geometry
import Imaging

/// Adds the position of the watermark to each crop of the plan.
struct WatermarkStage: FrameStage {
    func run(_ work: inout FrameWork, _ draft: inout FrameDraft) throws(PipelineError) {
        let options = work.job.options
        guard let mark = options.mark, let content = mark.content else { return }
        let size = try codec(content.size())
        let plan = draft.plan
        for (index, crop) in plan.crops.enumerated() {
            let ratio = options.resultSize.devicePixelRatio
            var corners = options.mask?.radii(in: crop.output, ratio: ratio) ?? (across: 0, down: 0)
            if plan.turn.swapsSides { swap(&corners.across, &corners.down) }
            let heads = plan.faces.compactMap { face in
                let shown = CropMap(crop.shown(in: face.frame ?? 0)).bounds(of: face.head)
                    .intersection(PixelRect(crop.output))
                return shown.area > 0 ? plan.turn.upright(shown, in: crop.output) : nil
            }
            draft.plan.crops[index].mark = MarkPlacement(
                mark,
                image: size,
                in: plan.turn.upright(crop.output),
                ratio: ratio,
                corners: corners
            ).placed(at: mark.place, off: heads)
        }
    }
}

extension Sticker.Content {
    /// Returns the size of the images, read from headers.
    fileprivate func size() throws(CodecError) -> PixelSize {
        switch self {
        case .drawn(let drawn): return drawn.size
        case .files(let files):
            guard let file = files.first else { throw .failed("a watermark without an image") }
            return try ImageHeader.read(file).size
        }
    }
}
