import Framing
import Geometry
import Imaging

/// Adds the key colour and the backdrop's image to the inputs, and the colour of the borders to the plan.
struct KeyStage: FrameStage {
    func run(_ work: inout FrameWork, _ draft: inout FrameDraft) throws(PipelineError) {
        let job = work.job
        guard job.rendering == .scaling || job.options.placeholder != nil, let key = job.options.key else { return }
        let color: KeyColor? = if let color = key.color { color } else { try borderColor(&work) }
        draft.inputs?.keyColor = color
        if job.options.backdrop == .image { draft.inputs?.backdrop = try backdrop(for: draft.plan, work) }
        if job.rendering == .scaling, key.color == nil { draft.plan.borderKey = BorderKey(color) }
    }

    /// Returns the colour of the source's borders; nil if they have no single colour.
    private func borderColor(_ work: inout FrameWork) throws(PipelineError) -> KeyColor? {
        let image = try work.source.image(exactlyAt: work.decodePlan.borderScale)
        let whole = FractionalRect(PixelRect(image.size))
        return try codec(
            image.rendered(whole, to: work.decodePlan.borderSize, model: .rgb, profile: work.job.options.profile)
                .flattened().borderColor()
        )
    }

    /// Returns the backdrop's image, at the smallest scale that covers every crop.
    private func backdrop(for plan: FramePlan, _ work: FrameWork) throws(PipelineError) -> PlanarImage? {
        guard let bytes = work.job.backdrop?.array else { return nil }
        do {
            let header = try ImageHeader.read(bytes)
            let sizes = plan.crops.map(\.image.size)
            let size = PixelSize(width: sizes.map(\.width).max() ?? 1, height: sizes.map(\.height).max() ?? 1)
            let scale = DecodeScale.smallest(of: header, atLeast: size, from: header.size)
            return try ImageDecoder.decode(bytes, header: header, scale: scale, limits: work.limits.decode)
        } catch {
            throw .backdrop(error)
        }
    }
}
