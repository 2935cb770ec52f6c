#if AVIF
import CImageCodec
import Geometry

/// Encodes planes as AVIF files, with libavif and aom.
enum AVIFEncoder {
    /// The speed of aom, 0 to 10: from 8 to 9 the time falls to a quarter; docs/quality.md has the measurements.
    static let speed = 9

    /// The quantiser of alpha, whose errors show at edges: nearly without loss.
    static let alphaQuantizer = 8

    static func encode(_ image: PlanarImage, _ wanted: EncodingOptions) throws(CodecError) -> [UInt8] {
        let image = try writable(image, wanted)
        var options = options(wanted)
        if case .ycbcr(let subsampling) = image.colorModel {
            options.h_shared = Int32(subsampling.horizontal)
            options.v_shared = Int32(subsampling.vertical)
        }
        options.has_alpha = image.alpha != nil
        let views = (image.planes + (image.alpha.map { [$0] } ?? [])).map(\.view)
        // Decoders convert grey to RGB, to which a profile of grey does not apply.
        let profile = image.colorModel == .gray ? [] : image.iccProfile?.bytes ?? []
        let exif = wanted.copyright.flatMap(EXIFCopyright.bytes) ?? []
        let xmp = wanted.copyright.map(XMPPacket.bytes) ?? []
        return try profile.withUnsafeBufferPointer { (icc) throws(CodecError) in
            try exif.withUnsafeBufferPointer { (exif) throws(CodecError) in
                try xmp.withUnsafeBufferPointer { (xmp) throws(CodecError) in
                    (options.icc, options.icc_count) = (icc.baseAddress, icc.count)
                    (options.exif, options.exif_count) = (exif.baseAddress, exif.count)
                    (options.xmp, options.xmp_count) = (xmp.baseAddress, xmp.count)
                    return try ImageEncoder.collect(.avif, image.size) { hr_avif_encode(views, &options, $0, $1) }
                }
            }
        }
    }

    /// Quality and speed for the library.
    static func options(_ wanted: EncodingOptions) -> hr_avif_options {
        var options = hr_avif_options()
        options.quantizer = Int32(quantizers.value(for: wanted.knownQuality))
        options.alpha_quantizer = Int32(alphaQuantizer)
        options.speed = Int32(wanted.effort ?? speed)
        return options
    }

    /// aom's quantiser, 0 to 63, for a quality: that of the JPEG with the same SSIM.
    private static let quantizers = QualityScale([
        (1, 63), (5, 59), (10, 51.5), (15, 46), (20, 41.5), (25, 38.5), (30, 36), (40, 33), (50, 30), (60, 28),
        (65, 26),
        (70, 24), (75, 22), (80, 19.5), (85, 15.5), (90, 11), (95, 6.5), (100, 0),
    ])

    /// The memory of aom in bytes: measured up to 5 MiB and, for each pixel, 16 with halved chroma and 27 with full chroma,
    /// borders of 128 pixels included.
    static func bytesNeeded(_ size: PixelSize, _ subsampling: ChromaSubsampling) -> Int {
        let area = (size.width + 256) * (size.height + 256)
        return area * (subsampling == .none ? 32 : 20) + (6 << 20)
    }

    /// The picture itself if AVIF supports its planes, else a converted one; alpha is kept.
    private static func writable(_ image: PlanarImage, _ options: EncodingOptions) throws(CodecError) -> PlanarImage {
        let model: ColorModel
        switch image.colorModel {
        case .gray, .ycbcr(.none), .ycbcr(.halvedAcross), .ycbcr(.halved): return image
        case .rgb, .ycbcr, .cmyk: model = .ycbcr(options.subsampling)
        }
        let opaque = PlanarImage(
            size: image.size,
            colorModel: image.colorModel,
            planes: image.planes,
            iccProfile: image.iccProfile
        )
        let whole = FractionalRect(PixelRect(image.size))
        let converted = try Resampler.resample(opaque, region: whole, to: image.size, model: model)
        return PlanarImage(
            size: image.size,
            colorModel: model,
            planes: converted.planes,
            alpha: image.alpha,
            iccProfile: image.iccProfile
        )
    }
}
#endif
