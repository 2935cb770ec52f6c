#if AVIF
import CImageCodec
import Geometry

/// Encodes planes as AVIF files, with libavif and aom.
enum AVIFEncoder {
    /// The speed of aom, 0 to 10; speed 9 takes a quarter of the time of speed 8.
    ///
    /// docs/contributing/image-quality.md has the measurements.
    private static let speed = 9
    /// The speed for drawings: the maximum speed that still uses aom's palettes, which reduce the file to a fifth to a
    /// third.
    private static let speedOfDrawings: Int32 = 8

    /// The quantiser of alpha, which is nearly lossless because errors are visible at edges.
    private static let alphaQuantizer = 8

    static func encode(_ image: PlanarImage, _ wanted: EncodingOptions) throws(CodecError) -> [UInt8] {
        let image = try writable(image, wanted)
        var options = options(wanted)
        if case .ycbcr(let subsampling) = image.colorModel {
            options.h_shared = Int32(subsampling.horizontal)
            options.v_shared = Int32(subsampling.vertical)
        }
        options.has_alpha = image.alpha != nil
        if wanted.effort == nil, isDrawn(image) { options.speed = speedOfDrawings }
        // Decoders convert grey to RGB, and a grey profile does not apply to RGB.
        let profile = image.colorModel == .gray ? [] : image.iccProfile?.bytes ?? []
        let exif = wanted.copyright.flatMap(EXIF.bytes) ?? []
        let xmp = wanted.copyright.map(XMPPacket.bytes) ?? []
        return try profile.withUnsafeBufferPointer { (icc) throws(CodecError) in
            try exif.withUnsafeBufferPointer { (exif) throws(CodecError) in
                try xmp.withUnsafeBufferPointer { (xmp) throws(CodecError) in
                    (options.icc, options.icc_count) = (icc.baseAddress, icc.count)
                    (options.exif, options.exif_count) = (exif.baseAddress, exif.count)
                    (options.xmp, options.xmp_count) = (xmp.baseAddress, xmp.count)
                    return try image.allPlanes.withViews { (views) throws(CodecError) in
                        try ImageEncoder.collect(.avif, image.size) { hr_avif_encode(views, &options, $0, $1) }
                    }
                }
            }
        }
    }

    /// Whether the image is a drawing.
    ///
    /// Only luma is examined, because halved chroma blurs edges.
    fileprivate static func isDrawn(_ image: PlanarImage) -> Bool {
        PlanarImage(size: image.size, colorModel: .gray, planes: [image.planes[0]]).isDrawn
    }

    /// Quality and speed for the library.
    fileprivate static func options(_ wanted: EncodingOptions) -> hr_avif_options {
        var options = hr_avif_options()
        options.quantizer = Int32(quantizers.value(for: wanted.knownQuality))
        options.alpha_quantizer = Int32(alphaQuantizer)
        options.speed = Int32(wanted.effort ?? speed)
        return options
    }

    /// aom's quantiser, 0 to 63, that gives the same SSIM as a JPEG of each quality.
    private static let quantizers = QualityScale([
        (1, 63), (5, 59), (10, 51.5), (15, 46), (20, 41.5), (25, 38.5), (30, 36), (40, 33), (50, 30), (60, 28),
        (65, 26),
        (70, 24), (75, 22), (80, 19.5), (85, 15.5), (90, 11), (95, 6.5), (100, 0),
    ])

    /// Returns the memory of aom in bytes.
    ///
    /// The measured maximum was 5 MiB plus 16 bytes per pixel with halved chroma, or 27 bytes with full chroma,
    /// including borders of 128 pixels.
    static func bytesNeeded(_ size: PixelSize, _ subsampling: ChromaSubsampling) -> Int {
        let area = (size.width + 256) * (size.height + 256)
        return area * (subsampling == .none ? 32 : 20) + (6 << 20)
    }

    /// Returns the image itself if AVIF supports its planes, otherwise a converted image; alpha is kept.
    private static func writable(_ image: PlanarImage, _ options: EncodingOptions) throws(CodecError) -> PlanarImage {
        let model: ColorModel
        switch image.colorModel {
        case .gray, .ycbcr(.none), .ycbcr(.halvedAcross), .ycbcr(.halved): return image
        case .rgb, .ycbcr, .cmyk: model = .ycbcr(options.subsampling)
        }
        let converted = try image.replacing(image.planes, alpha: nil).converted(to: model)
        return PlanarImage(
            size: image.size,
            colorModel: model,
            planes: converted.planes,
            alpha: image.alpha,
            iccProfile: image.iccProfile
        )
    }
}

/// Encodes AVIF sequences with libavif and aom: each image is predicted from earlier images.
///
/// libavif 0.11 does not write the number of repetitions.
final class AVIFAnimationEncoder: AnimationWriter {
    /// The speed of aom.
    ///
    /// The real-time mode omits small changes at speed 9, and crashes the process at speed 7.
    private static let speed: Int32 = 8

    /// The finest quantiser.
    ///
    /// At 0, which should be lossless, aom 3.6 changes pixels in real-time mode.
    private static let finest: Int32 = 1

    /// The quantiser of alpha.
    ///
    /// Errors were at most 36 of 255 in 4000 animations of random rectangles.
    private static let alphaQuantizer: Int32 = 4

    private let size: PixelSize
    private let hasAlpha: Bool
    private let encoding: EncodingOptions
    private var options: hr_avif_options
    private let exif: [UInt8]
    private let xmp: [UInt8]
    private let animator: OpaquePointer
    private var isEmpty = true
    /// A frame that is not written yet, because equal frames extend its display time.
    private var pending: (planes: [Plane], milliseconds: Int)?

    /// Starts a file.
    ///
    /// If frames have no alpha, transparent pixels are drawn over white.
    init(_ size: PixelSize, _ animation: AnimationOptions) throws(CodecError) {
        self.size = size
        hasAlpha = animation.hasAlpha
        exif = animation.copyright.flatMap(EXIF.bytes) ?? []
        xmp = animation.copyright.map(XMPPacket.bytes) ?? []
        encoding = EncodingOptions(quality: animation.quality)
        options = AVIFEncoder.options(encoding)
        options.speed = Self.speed
        options.quantizer = max(options.quantizer, Self.finest)
        options.alpha_quantizer = Self.alphaQuantizer
        options.has_alpha = hasAlpha
        options.h_shared = Int32(encoding.subsampling.horizontal)
        options.v_shared = Int32(encoding.subsampling.vertical)
        animator = try Self.begun(size, options)
    }

    deinit { hr_avif_animator_close(animator) }

    func add(_ image: PlanarImage, milliseconds: Int) throws(CodecError) {
        guard image.size == size, image.colorModel == .rgb else { throw .failed("a frame of another kind") }
        let planes = hasAlpha ? try image.withAlphaPlane() : try image.flattened().planes
        if let last = pending, planes.change(from: last.planes) == nil {
            pending = (last.planes, last.milliseconds + milliseconds)
            return
        }
        try flush()
        pending = (planes, milliseconds)
    }

    func finish() throws(CodecError) -> [UInt8] {
        try flush()
        return try finish(animator)
    }

    private func finish(_ animator: OpaquePointer) throws(CodecError) -> [UInt8] {
        try ImageEncoder.collect(.avif, size) { hr_avif_animator_finish(animator, $0, $1) }
    }

    private static func begun(_ size: PixelSize, _ options: hr_avif_options) throws(CodecError) -> OpaquePointer {
        let (width, height) = (Int32(clamping: size.width), Int32(clamping: size.height))
        return try open(.avif, size: size, close: hr_avif_animator_close) { opened, error in
            withUnsafePointer(to: options) { hr_avif_animator_open(width, height, $0, &opened, error) }
        }
    }

    /// Returns the size in bytes of a file with one frame.
    private func bytes(_ planes: [Plane], drawn: Bool) throws(CodecError) -> Int {
        var options = options
        options.is_drawn = drawn
        let trial = try Self.begun(size, options)
        defer { hr_avif_animator_close(trial) }
        try planes.withViews { (views) throws(CodecError) in
            try check(.avif, size: size) { hr_avif_animator_add(trial, views, &options, 1, $0) }
        }
        return try finish(trial).count
    }

    private func flush() throws(CodecError) {
        guard let frame = pending else { return }
        pending = nil
        let colors = PlanarImage(size: size, colorModel: .rgb, planes: Array(frame.planes.prefix(3)))
        let coded = try colors.converted(to: .ycbcr(encoding.subsampling))
        let planes = coded.planes + frame.planes.dropFirst(3)
        // The first frame decides whether all frames are drawings.
        if isEmpty, AVIFEncoder.isDrawn(coded) {
            options.is_drawn = try bytes(planes, drawn: true) < bytes(planes, drawn: false)
        }
        isEmpty = false
        var options = options
        let milliseconds = Int32(clamping: frame.milliseconds)
        try exif.withUnsafeBufferPointer { (exif) throws(CodecError) in
            try xmp.withUnsafeBufferPointer { (xmp) throws(CodecError) in
                (options.exif, options.exif_count) = (exif.baseAddress, exif.count)
                (options.xmp, options.xmp_count) = (xmp.baseAddress, xmp.count)
                try planes.withViews { (views) throws(CodecError) in
                    try check(.avif, size: size) {
                        hr_avif_animator_add(animator, views, &options, milliseconds, $0)
                    }
                }
            }
        }
    }

    /// Memory in bytes.
    ///
    /// The measured maximum for aom was 7 MiB plus 27 bytes for each pixel, including borders of 128 pixels and the
    /// look-ahead frames. Alpha is encoded at the same time as the colours.
    static func bytesNeeded(_ size: PixelSize, _ pixels: Int, _ hasAlpha: Bool) -> Int {
        let area = (size.width + 256) * (size.height + 256)
        return size.area * 16 + pixels * 2 + (area * 34 + (8 << 20)) * (hasAlpha ? 2 : 1)
    }
}
#endif
