import Geometry
import Imaging

/// Renders a result with bars beside the crop.
struct PadStage {
    let header: ImageHeader
    let output: ImageOutput
    let limits: PipelineLimits
    let background: Background
    let profile: ProfileUse
    let effects: EffectStage
    /// The notice of copyright to write; nil for none.
    let copyright: CopyrightNotice?
    /// The turn and mirroring of the result.
    var turn = Orientation.up
    /// Draws stickers; nil for none.
    var finish: StickerFinish?

    /// The encoded result: the scaled crop on its background.
    ///
    /// - Parameters:
    ///   - part: The decoded part of the upright image, possibly at a reduced scale.
    ///   - crop: The crop, in pixels of the upright source.
    ///   - place: The rectangle of the crop in the result, in pixels of the result.
    ///   - size: The size of the result before the turn, in pixels.
    /// - Returns: The encoded file.
    /// - Throws: ``PipelineError/codec(_:)``.
    func render(
        _ part: PartialImage,
        crop: PixelRect,
        at place: PixelRect,
        size: PixelSize
    ) throws(PipelineError) -> EncodedImage {
        let format = format(of: size)
        let profile = format.keepsProfile ? profile : .srgb
        let ground = background == .transparent && !format.keepsAlpha ? .white : background
        do {
            let image = part.image
            let options = output.options(for: header, copyright)
            var model = model(for: image, on: ground)
            if image.alpha == nil, !effects.addsAlpha, ground != .transparent {
                model = ImageEncoder.model(for: model, as: format, options)
            }
            if finish != nil { model = .rgb }
            let region = RenderStage.region(of: crop, in: part, source: header.size)
            let picture = try effects.picture(of: image, region, to: place.size, model: model, profile: profile)
            var whole = try picture.laid(on: ground, of: size, at: place)
            if let finish {
                if let animation = try finish.animation(of: whole) { return animation }
                whole = try finish.drawn(on: whole)
            }
            let result = try whole.oriented(turn)
            let file = try ImageEncoder.file(of: result, as: format, options.turned(turn))
            return EncodedImage(format: format, file: file, size: result.size)
        } catch {
            throw .codec(error)
        }
    }

    /// The format of a result with a background; if none is requested, a transparent background selects the best
    /// accepted format with alpha, if any.
    func format(of size: PixelSize) -> ImageFormat {
        background == .transparent
            ? output.resolvedWithAlpha(for: header, size: size, limits: limits)
            : output.resolved(for: header, size: size, limits: limits)
    }

    /// The colour model in which crop and background are combined, before conversion to that of the file.
    private func model(for image: PlanarImage, on ground: Background) -> ColorModel {
        let own = effects.colorModel(of: image.colorModel)
        var source = own == .cmyk ? .rgb : own
        if source == .gray, !ground.isGray { source = .rgb }
        // Only grey and RGB pictures have alpha; the encoder converts them after blending.
        if image.alpha != nil || effects.addsAlpha || ground == .transparent { return source == .gray ? .gray : .rgb }
        return source
    }
}

extension Background {
    /// Whether the background is grey if the picture is grey.
    var isGray: Bool {
        switch self {
        case .color(let red, let green, let blue): red == green && green == blue
        case .transparent, .blur: true
        }
    }
}
