import Geometry
import Imaging

extension FramePipeline {
    /// The effects of the job, with what they need of the source and of the picture behind.
    ///
    /// - Throws: ``PipelineError/codec(_:)``, or ``PipelineError/backdrop(_:)``.
    func effects(
        on plan: FramePlan,
        of source: inout SourcePixels,
        _ decodePlan: DecodePlan
    ) throws(PipelineError) -> EffectStage {
        var stage = EffectStage(options: job.options)
        guard job.rendering == .scaling || job.options.placeholder != nil, let key = job.options.key else {
            return stage
        }
        stage.keyColor = if let color = key.color { color } else { try borderColor(of: &source, decodePlan) }
        if job.options.backdrop == .picture { stage.backdrop = try backdrop(for: plan) }
        return stage
    }

    /// The colour of the source's borders; nil if they have none.
    private func borderColor(
        of source: inout SourcePixels,
        _ decodePlan: DecodePlan
    ) throws(PipelineError) -> KeyColor? {
        let picture = try source.picture(exactlyAt: decodePlan.borderScale)
        let whole = FractionalRect(PixelRect(picture.size))
        do {
            return try picture.rendered(whole, to: decodePlan.borderSize, model: .rgb, profile: job.options.profile)
                .flattened().borderColor()
        } catch {
            throw .codec(error)
        }
    }

    /// The picture behind, at the smallest scale that covers every crop.
    private func backdrop(for plan: FramePlan) throws(PipelineError) -> PlanarImage? {
        guard let bytes = job.backdrop?.array else { return nil }
        do {
            let header = try ImageHeader.read(bytes)
            let sizes = plan.crops.map(\.picture.size)
            let size = PixelSize(width: sizes.map(\.width).max() ?? 1, height: sizes.map(\.height).max() ?? 1)
            let scale = DecodeScale.smallest(of: header, atLeast: size, from: header.size)
            return try ImageDecoder.decode(bytes, header: header, scale: scale, limits: limits.decode)
        } catch {
            throw .backdrop(error)
        }
    }
}
