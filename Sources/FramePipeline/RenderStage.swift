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
        let region = Self.region(of: crop, in: image, of: header.size)
        do {
            let model = ImageEncoder.model(for: image.colorModel, as: format, quality: output.quality)
            let result = try Resampler.resample(image, region: region, to: size, model: model)
            let bytes = try ImageEncoder.encode(result, as: format, quality: output.quality)
            return EncodedImage(format: format, bytes: bytes, size: size)
        } catch {
            throw .codec(error)
        }
    }

    /// A crop of a source of `size` in pixels of `image`, which is that source, perhaps at a reduced scale.
    static func region(of crop: PixelRect, in image: PlanarImage, of size: PixelSize) -> ResampleRegion {
        // A reduced image is rounded up to whole pixels, so the crop's place in it is a fraction of it, not of the source.
        let scaleX = Double(image.size.width) / Double(size.width)
        let scaleY = Double(image.size.height) / Double(size.height)
        return ResampleRegion(
            x: Double(crop.x) * scaleX,
            y: Double(crop.y) * scaleY,
            width: Double(crop.width) * scaleX,
            height: Double(crop.height) * scaleY
        )
    }
}
