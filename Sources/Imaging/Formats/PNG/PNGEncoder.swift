import CImageCodec
import Geometry

/// Encodes planes as PNG files.
enum PNGEncoder {
    static func encode(_ image: PlanarImage, _ wanted: EncodingOptions) throws(CodecError) -> [UInt8] {
        let model = ImageEncoder.model(for: image.colorModel, as: .png)
        let whole = FractionalRect(PixelRect(image.size))
        let image = try Resampler.resample(image, region: whole, to: image.size, model: model)
        let views = (image.planes + (image.alpha.map { [$0] } ?? [])).map(\.view)
        var options = hr_png_options()
        options.color_planes = Int32(image.planes.count)
        options.has_alpha = image.alpha != nil
        let profile = image.iccProfile?.bytes ?? []
        let file = try profile.withUnsafeBufferPointer { (icc) throws(CodecError) in
            options.icc = icc.baseAddress
            options.icc_count = icc.count
            return try ImageEncoder.collect(.png, image.size) { hr_png_encode(views, &options, $0, $1) }
        }
        return wanted.copyright?.added(toPNG: file) ?? file
    }
}
