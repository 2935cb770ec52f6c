import CImageCodec
import Geometry

enum WebPEncoder {
    /// The effort, 0 to 6.
    ///
    /// With 4, files of the same SSIM are a tenth smaller but take more than twice the time;
    /// docs/contributing/image-quality.md has the measurements.
    private static let effort = 2

    /// The effort of a lossless file, 0 to 100, in addition to ``effort``.
    ///
    /// With 0, drawings would be larger than PNG files.
    private static let losslessEffort: Int32 = 50

    /// The memory of lossless encoding in libwebp, in bytes per pixel: packed pixels, a copy of them, and hash chains
    /// for repetitions.
    private static let losslessBytes = 32

    /// libwebp's quality for each Headroom quality, measured at ``effort``.
    private static let scale = QualityScale([
        (1, 0), (10, 3), (15, 6), (20, 14), (25, 22), (30, 30), (35, 37), (40, 44), (45, 50), (50, 56), (55, 62),
        (60, 68), (65, 74), (70, 77.5), (75, 81), (80, 84), (85, 87.5), (90, 91.5), (95, 96.5), (100, 100),
    ])

    /// libwebp's quality, 0 to 100, for a Headroom quality, 1 to 100.
    fileprivate static func level(of quality: Int) -> Int32 { Int32(scale.value(for: quality)) }

    static func encode(_ image: PlanarImage, _ wanted: EncodingOptions) throws(CodecError) -> [UInt8] {
        let image = wanted.isLossless ? try image.converted(to: .rgb) : try writable(image)
        var options = hr_webp_options()
        options.lossless = wanted.isLossless
        options.quality = wanted.isLossless ? losslessEffort : level(of: wanted.knownQuality)
        options.method = Int32(wanted.effort ?? effort)
        options.has_alpha = image.alpha != nil
        options.color =
            switch image.colorModel {
            case .gray: HR_WEBP_GRAY
            case .ycbcr: HR_WEBP_YCC
            case .rgb, .cmyk: HR_WEBP_RGB
            }
        let file = try image.allPlanes.withViews { (views) throws(CodecError) in
            try ImageEncoder.collect(.webp, image.size) { hr_webp_encode(views, &options, $0, $1) }
        }
        // Every decoder converts WebP to RGB, and a grey profile does not apply to RGB.
        let profile = image.colorModel == .gray ? nil : image.iccProfile
        guard profile != nil || wanted.copyright != nil else { return file }
        return adding(profile, wanted.copyright, to: file, image.size)
    }

    /// The memory of the encoder in bytes, without the image and the file.
    static func bytesNeeded(_ size: PixelSize, _ options: EncodingOptions) -> Int {
        // A second file during the search for the quality.
        (options.isLossless ? size.area * losslessBytes : 0) + (options.maxBytes == nil ? 0 : size.area * 2)
    }

    /// The image itself if WebP supports its planes, otherwise a converted image.
    private static func writable(_ image: PlanarImage) throws(CodecError) -> PlanarImage {
        let model = ImageEncoder.model(for: image.colorModel, as: .webp)
        return model == image.colorModel ? image : try image.converted(to: model)
    }

    /// The file in the extended format (RFC 9649, 2.7) with a profile before the image, and metadata after it.
    ///
    /// The chunks are written here, because calls to libwebp's muxer, a separate library, would take more lines.
    static func adding(
        _ profile: ICCProfile?,
        _ copyright: CopyrightNotice?,
        to file: [UInt8],
        _ size: PixelSize
    ) -> [UInt8] {
        let isExtended = file[12..<16].elementsEqual("VP8X".utf8)
        // The encoders write a VP8X chunk of ten bytes only for alpha and animations.
        let image = file.dropFirst(isExtended ? 30 : 12)
        let exif = copyright.flatMap(EXIF.bytes)
        let xmp = copyright.map(XMPPacket.bytes)
        let flags: [(UInt8, Bool)] = [(0x20, profile != nil), (0x08, exif != nil), (0x04, xmp != nil)]
        let header =
            [flags.reduce(isExtended ? file[20] : 0) { $1.1 ? $0 | $1.0 : $0 }, 0, 0, 0]
            + [UInt8](littleEndian: size.width - 1, count: 3) + [UInt8](littleEndian: size.height - 1, count: 3)
        let before = chunk("VP8X", header) + (profile.map { chunk("ICCP", $0.bytes) } ?? [])
        let after = (exif.map { chunk("EXIF", $0) } ?? []) + (xmp.map { chunk("XMP ", $0) } ?? [])
        let length = 4 + before.count + image.count + after.count
        var result: [UInt8] = []
        result.reserveCapacity(8 + length)
        result += "RIFF".utf8
        result += [UInt8](littleEndian: length, count: 4)
        result += "WEBP".utf8
        result += before
        result += image
        result += after
        return result
    }

    private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        Array(type.utf8) + [UInt8](littleEndian: data.count, count: 4) + data + (data.count % 2 == 0 ? [] : [0])
    }
}

/// Encodes animated WebP files with libwebp's animation encoder.
///
/// Each frame contains only its changed pixels, lossless if the frame has few colours and the result is smaller.
final class WebPAnimationEncoder: AnimationWriter {
    /// libwebp's effort: docs/contributing/format-internals.md has the measurements.
    private static let method: Int32 = 4

    private let animator: OpaquePointer
    private let size: PixelSize

    init(_ size: PixelSize, _ options: AnimationOptions) throws(CodecError) {
        var animation = hr_webp_animation()
        animation.plays = Int32(min(max(options.plays, 0), 65_535))
        animation.quality = WebPEncoder.level(of: options.quality)
        animation.method = Self.method
        animation.mixed = true
        let (width, height) = (Int32(clamping: size.width), Int32(clamping: size.height))
        animator = try open(.webp, size: size, close: hr_webp_animator_close) {
            hr_webp_animator_open(width, height, &animation, &$0, $1)
        }
        self.size = size
    }

    deinit { hr_webp_animator_close(animator) }

    func add(_ image: PlanarImage, milliseconds: Int) throws(CodecError) {
        guard image.size == size, image.colorModel == .rgb else { throw .failed("a frame of another kind") }
        let image = try image.hidingColors()
        try image.allPlanes.withViews { (views) throws(CodecError) in
            try check(.webp, size: size) {
                hr_webp_animator_add(animator, views, image.alpha != nil, Int32(clamping: milliseconds), $0)
            }
        }
    }

    func finish() throws(CodecError) -> [UInt8] {
        try ImageEncoder.collect(.webp, size) { hr_webp_animator_finish(animator, $0, $1) }
    }
}
