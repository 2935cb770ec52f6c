import Geometry
import Imaging

/// Renders a result with bars beside the crop.
struct PadStage {
    let header: ImageHeader
    let output: ImageOutput
    let background: Background
    /// The turn and mirroring of the result.
    var turn = Orientation.up

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
        let format = output.resolved(for: header, on: background)
        let ground = background == .transparent && !format.keepsAlpha ? .white : background
        do {
            let image = part.image
            let quality = output.quality?.level
            let quantization = output.quantization(of: header)
            var model = model(for: image, on: ground)
            if image.alpha == nil, ground != .transparent {
                model = ImageEncoder.model(for: model, as: format, quality: quality, quantization: quantization)
            }
            let region = RenderStage.region(of: crop, in: part, source: header.size)
            let picture = try Resampler.resample(image, region: region, to: place.size, model: model)
            let result = try picture.laid(on: ground, of: size, at: place).oriented(turn)
            let bytes = try ImageEncoder.encode(
                result,
                as: format,
                quality: quality,
                quantization: turn.swapsSides ? quantization?.transposed : quantization
            )
            return EncodedImage(format: format, bytes: bytes, size: result.size)
        } catch {
            throw .codec(error)
        }
    }

    /// The colour model in which crop and background are combined, before conversion to that of the file.
    private func model(for image: PlanarImage, on ground: Background) -> ColorModel {
        var source = image.colorModel
        if source == .gray, !ground.isGray { source = .rgb }
        // Only grey and RGB pictures have alpha; the encoder converts them after blending.
        if image.alpha != nil || ground == .transparent { return source == .gray ? .gray : .rgb }
        return source
    }
}

extension Background {
    /// Whether the background is grey if the picture is grey.
    fileprivate var isGray: Bool {
        switch self {
        case .color(let red, let green, let blue): red == green && green == blue
        case .transparent, .blur: true
        }
    }
}

extension ImageOutput {
    /// The format of a result with a background; if none is requested, a transparent background selects the best
    /// accepted format with alpha, if any.
    fileprivate func resolved(for header: ImageHeader, on background: Background) -> ImageFormat {
        let usual = resolved(for: header.format, hasAlpha: header.hasAlpha)
        guard format == nil, background == .transparent, !usual.keepsAlpha else { return usual }
        let candidates = accepted.isEmpty ? ImageFormat.allCases : accepted
        return candidates.first(where: \.keepsAlpha) ?? usual
    }
}
