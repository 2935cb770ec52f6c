import Framing
import ImageCodec

/// Cuts the crop out of a decoded image, scales it and encodes it.
struct RenderStage {
    let header: ImageHeader
    let output: ImageOutput

    /// The encoded crop.
    ///
    /// - Parameters:
    ///   - image: The upright image, perhaps decoded at a reduced scale.
    ///   - crop: What to keep, in pixels of the upright source.
    ///   - size: The size of the result.
    /// - Returns: The file.
    /// - Throws: ``PipelineError/codec(_:)``.
    func render(_ image: PlanarImage, crop: PixelRect, size: PixelSize) throws(PipelineError) -> EncodedImage {
        let format = output.resolved(for: header.format, hasAlpha: header.hasAlpha)
        // A reduced image is rounded up to whole pixels, so the crop's place in it is a fraction of it, not of the source.
        let scaleX = Double(image.size.width) / Double(header.size.width)
        let scaleY = Double(image.size.height) / Double(header.size.height)
        let region = ResampleRegion(
            x: Double(crop.x) * scaleX,
            y: Double(crop.y) * scaleY,
            width: Double(crop.width) * scaleX,
            height: Double(crop.height) * scaleY
        )
        do {
            let model = ImageEncoder.model(for: image.colorModel, as: format, quality: output.quality)
            let result = try Resampler.resample(image, region: region, to: size, model: model)
            let bytes = try ImageEncoder.encode(result, as: format, quality: output.quality)
            return EncodedImage(format: format, bytes: bytes, size: size)
        } catch {
            throw .codec(error)
        }
    }
}
