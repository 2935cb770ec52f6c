import CImageCodec
import Geometry

enum JPEGEncoder {
    /// Encodes a file with the quantisation tables of a source, one for each component, or with a quality.
    static func encode(_ image: PlanarImage, _ wanted: EncodingOptions) throws(CodecError) -> [UInt8] {
        let image = try writable(image, wanted)
        var options = hr_jpeg_options()
        options.width = Int32(image.size.width)
        options.height = Int32(image.size.height)
        options.quality = Int32(wanted.knownQuality)
        options.progressive = wanted.isProgressive
        options.h_samp = (1, 1, 1, 1)
        options.v_samp = (1, 1, 1, 1)
        options.color = HR_JPEG_GRAY
        if case .ycbcr(let subsampling) = image.colorModel {
            options.color = HR_JPEG_YCC
            options.h_samp.0 = Int32(subsampling.horizontal)
            options.v_samp.0 = Int32(subsampling.vertical)
        }
        let profile = image.iccProfile?.bytes ?? []
        let isLikeSource = wanted.quality == nil && wanted.quantization?.applies(to: image.colorModel) == true
        let tables = isLikeSource ? wanted.quantization?.tables : nil
        let divisors = tables?.count == image.planes.count ? tables?.flatMap(\.self) : nil
        let file = try profile.withUnsafeBufferPointer { (icc) throws(CodecError) in
            options.icc = icc.baseAddress
            options.icc_count = icc.count
            return try (divisors ?? []).withUnsafeBufferPointer { (buffer) throws(CodecError) in
                options.tables = divisors == nil ? nil : buffer.baseAddress
                return try image.planes.withViews { (views) throws(CodecError) in
                    try ImageEncoder.collect(.jpeg, image.size) { hr_jpeg_encode(views, &options, $0, $1) }
                }
            }
        }
        return wanted.copyright?.added(toJPEG: file) ?? file
    }

    /// Returns the colour model for encoding; with the quantisation of a source, this is the source's model.
    static func model(for model: ColorModel, _ options: EncodingOptions) -> ColorModel {
        guard options.chroma == .auto, let quantization = options.quantization, quantization.applies(to: model) else {
            return .ycbcr(options.subsampling)
        }
        return quantization.colorModel
    }

    /// The memory of libjpeg in bytes: coefficients of two bytes, and a second file during the search for the quality.
    static func bytesNeeded(_ size: PixelSize, _ options: EncodingOptions) -> Int {
        options.isProgressive || options.maxBytes != nil ? size.area * 8 : 0
    }

    /// The image itself if JPEG supports its planes, otherwise a converted image.
    private static func writable(_ image: PlanarImage, _ options: EncodingOptions) throws(CodecError) -> PlanarImage {
        switch image.colorModel {
        case .gray:
            return try image.flattened()
        // A data unit contains at most ten blocks (T.81, B.2.3).
        case .ycbcr(let subsampling) where subsampling.horizontal * subsampling.vertical <= 8:
            return image
        case .rgb, .ycbcr, .cmyk:
            return try image.converted(to: model(for: image.colorModel, options))
        }
    }
}
