import Framing
import Geometry
import Imaging

/// Renders the picture of one face that is turned upright.
struct TurnStage {
    let header: ImageHeader
    let output: ImageOutput
    let limits: PipelineLimits
    let effects: EffectStage
    /// What the picture does not cover.
    let background: Background
    let profile: ProfileUse
    /// The notice of copyright to write; nil for none.
    let copyright: CopyrightNotice?
    /// The turn and mirroring of the result by the caller, after that of the face.
    let turn: Orientation
    /// Draws stickers; nil for none.
    var finish: StickerFinish?

    /// Scales the visible part of the crop, turns it and encodes it.
    ///
    /// - Parameters:
    ///   - part: The decoded part of the upright image, possibly at a reduced scale.
    ///   - crop: The crop; its rectangle is the visible part.
    ///   - turned: The turned rectangle.
    /// - Returns: The encoded file.
    /// - Throws: ``PipelineError/codec(_:)``.
    func render(
        _ part: PartialImage,
        _ crop: FramePlan.Crop,
        _ turned: TurnedCrop
    ) throws(PipelineError) -> EncodedImage {
        let scale = Double(crop.output.width) / turned.width
        let visible = PixelSize(
            width: max(1, Int((Double(crop.rect.width) * scale).rounded())),
            height: max(1, Int((Double(crop.rect.height) * scale).rounded()))
        )
        let pad = PadStage(
            header: header,
            output: output,
            limits: limits,
            background: background,
            profile: profile,
            effects: effects,
            copyright: copyright
        )
        let format = pad.format(of: crop.output)
        let ground = background == .transparent && !format.keepsAlpha ? .white : background
        do {
            let image = part.image
            let isGray =
                effects.colorModel(of: image.colorModel) == .gray && (ground.isGray || ground == .blur) && finish == nil
            let region = RenderStage.region(of: crop.rect, in: part, source: header.size)
            let picture = try effects.picture(
                of: image,
                region,
                to: visible,
                model: isGray ? .gray : .rgb,
                profile: format.keepsProfile ? profile : .srgb
            )
            let turn = PictureTurn(
                centre: PixelPoint(
                    x: (turned.centre.x - Double(crop.rect.x)) * Double(visible.width) / Double(crop.rect.width),
                    y: (turned.centre.y - Double(crop.rect.y)) * Double(visible.height) / Double(crop.rect.height)
                ),
                place: PixelPoint(x: Double(crop.output.width) / 2, y: Double(crop.output.height) / 2),
                roll: turned.roll
            )
            var upright = try picture.turned(turn, to: crop.output, on: ground)
            if let finish {
                if let animation = try finish.animation(of: upright) { return animation }
                upright = try finish.drawn(on: upright)
            }
            let result = try upright.oriented(self.turn)
            let options = output.options(for: header, copyright).turned(self.turn)
            let file = try ImageEncoder.file(of: result, as: format, options)
            return EncodedImage(format: format, file: file, size: result.size)
        } catch {
            throw .codec(error)
        }
    }
}
