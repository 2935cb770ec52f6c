import Geometry
import Imaging

/// Draws stickers on the finished picture of one crop, and makes an animation of it if they are animated.
struct StickerFinish {
    let stage: StickerStage
    let crop: FramePlan.Crop
    let header: ImageHeader
    let output: ImageOutput
    /// The turn and mirroring of the result by the caller.
    let turn: Orientation
    /// The notice of copyright to write; nil for none.
    let copyright: CopyrightNotice?

    /// Cuts the corners of the result; nil for none.
    let mask: MaskStage?
    /// Draws the watermark; nil for none.
    let mark: MarkStage?

    /// The format of an animated result; nil if the result is still.
    var animatedFormat: ImageFormat? {
        guard stage.loop > 0, !stage.faces.isEmpty, let format = output.stickerFormat(for: header.format) else {
            return nil
        }
        let size = crop.output
        guard !format.isExpensive || size.area <= stage.limits.maxExpensivePixels else { return nil }
        let pixels = stage.times.count.multipliedReportingOverflow(by: size.area)
        return !pixels.overflow && pixels.partialValue <= stage.limits.maxAnimationPixels ? format : nil
    }

    /// The animation of a picture, which loops for ever; nil if the result is still.
    ///
    /// - Parameter picture: An RGB picture, before the turn of the result.
    /// - Returns: The encoded file.
    /// - Throws: ``CodecError``.
    func animation(of picture: PlanarImage) throws(CodecError) -> EncodedImage? {
        guard let format = animatedFormat else { return nil }
        let size = turn.upright(crop.output)
        let writer = try AnimationEncoder.begin(
            format,
            size: size,
            plays: 0,
            quality: output.quality?.level,
            copyright: copyright,
            hasAlpha: picture.alpha != nil || mask != nil
        )
        let times = stage.times
        for (index, time) in times.enumerated() {
            let end = index + 1 < times.count ? times[index + 1] : stage.loop
            let drawn = try stage.drawn(on: picture, crop, at: time)
            let frame = try (mask?.applied(to: drawn, as: format) ?? drawn).oriented(turn)
            try writer.add(try mark?.drawn(on: frame, crop.mark) ?? frame, milliseconds: end - time)
        }
        let bytes = try writer.finish()
        if let most = output.maxBytes, bytes.count > most { return nil }
        let file = copyright?.added(toAnimation: bytes, as: format, size) ?? bytes
        return EncodedImage(format: format, file: (file, nil), size: size)
    }

    /// A picture with the first frame of every sticker.
    func drawn(on picture: PlanarImage) throws(CodecError) -> PlanarImage { try stage.drawn(on: picture, crop) }
}

extension ImageOutput {
    /// The format of an animation of a still source with stickers; nil if no accepted format holds animations.
    func stickerFormat(for source: SourceFormat) -> ImageFormat? {
        if let format { return format.keepsAnimation && format != .png ? format : nil }
        // Without a choice, the format is the source's.
        if accepted.isEmpty { return source.writtenAnimated.flatMap { $0 == .png ? nil : $0 } }
        if let best = accepted.first, best.isExpensive, best.keepsAnimation { return best }
        return accepted.first { $0.suitsEveryAnimation && !$0.isExpensive }
    }
}
