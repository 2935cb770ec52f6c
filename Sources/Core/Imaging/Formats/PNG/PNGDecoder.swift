import CImageCodec
import Geometry

extension FormatCodec {
    static let png = FormatCodec(
        name: "PNG",
        fileExtensions: ["png", "apng"],
        matches: { $0.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) },
        readHeader: PNGDecoder.readHeader,
        decode: { (bytes, header, _, limits) throws(CodecError) in
            try PNGDecoder.decodeStored(bytes, limits).oriented(header.orientation)
        },
        animation: AnimationReading(mayBeAnimated: PNGChunks.announceAnimation, frames: APNGAnimation.frames),
        findMetadata: MetadataBlocks.init(png:),
        writing: Writing(
            isLossy: false,
            // PNG_USER_WIDTH_MAX and PNG_USER_HEIGHT_MAX, which libpng applies to reading and writing.
            capacity: FormatCapacity(maxSide: 1_000_000),
            model: { _, _ in .rgb },
            encode: PNGEncoder.encode,
            animation: AnimationWriting(
                begin: APNGEncoder.init,
                // Lossless frames of noise need as many bytes as their pixels.
                bytesNeeded: { size, pixels, _ in size.area * 20 + pixels * 10 },
                addNotice: { notice, file, _ in notice.added(toPNG: file) }
            )
        )
    )
}

/// Decodes PNG files of every colour type and depth into 8-bit planes.
///
/// Only the first image of an animation is decoded.
enum PNGDecoder {
    static func readHeader(_ bytes: [UInt8]) throws(CodecError) -> ImageHeader {
        let orientation = PNGChunks.orientation(bytes)
        let standard = XcodePNG(bytes)?.file
        var header = try (standard ?? bytes).withUnsafeBufferPointer { (buffer) throws(CodecError) in
            try PNGHandle(buffer, limits: DecodeLimits()).header(orientation: orientation, copied: standard?.count ?? 0)
        }
        guard standard == nil else { return header }
        header.animation = APNGAnimation(bytes)?.info(header: header)
        return header
    }

    static func iccProfile(_ bytes: [UInt8]) throws(CodecError) -> ICCProfile? {
        try bytes.withUnsafeBufferPointer { (buffer) throws(CodecError) in
            try PNGHandle(buffer, limits: DecodeLimits()).iccProfile
        }
    }

    /// Decodes the image of a file, including files written by Xcode.
    static func decodeStored(_ bytes: [UInt8], _ limits: DecodeLimits) throws(CodecError) -> PlanarImage {
        guard let source = XcodePNG(bytes) else { return try decode(bytes, limits) }
        return source.standard(try decode(source.file, limits, ignoresPixelChecksum: true))
    }

    /// Decodes an image.
    ///
    /// A frame of an animation that was assembled as a file has no valid checksums.
    static func decode(
        _ bytes: [UInt8],
        _ limits: DecodeLimits,
        ignoresChecksums: Bool = false,
        ignoresPixelChecksum: Bool = false
    ) throws(CodecError) -> PlanarImage {
        try bytes.withUnsafeBufferPointer { (buffer) throws(CodecError) in
            try PNGHandle(
                buffer,
                limits: limits,
                ignoresChecksums: ignoresChecksums,
                ignoresPixelChecksum: ignoresPixelChecksum
            ).decode()
        }
    }
}

/// An open libpng decoder; the bytes it reads must outlive it.
private struct PNGHandle: ~Copyable {
    private let decoder: OpaquePointer
    private let info: hr_png_info

    init(
        _ bytes: UnsafeBufferPointer<UInt8>,
        limits: DecodeLimits,
        ignoresChecksums: Bool = false,
        ignoresPixelChecksum: Bool = false
    ) throws(CodecError) {
        guard let start = bytes.baseAddress else { throw .truncated(.png) }
        var info = hr_png_info()
        let cLimits = hr_png_limits(
            max_side: Int32.max,
            max_chunk_memory: ICCProfile.maxBytes,
            ignores_checksums: ignoresChecksums,
            ignores_pixel_checksum: ignoresPixelChecksum,
            whole: !limits.servesDamaged
        )
        decoder = try open(.png, close: hr_png_close) { hr_png_open(start, bytes.count, cLimits, &$0, &info, $1) }
        self.info = info
    }

    deinit { hr_png_close(decoder) }

    private var size: PixelSize { PixelSize(width: Int(info.width), height: Int(info.height)) }
    private var colorModel: ColorModel { info.color_planes == 1 ? .gray : .rgb }
    private var planeCount: Int { Int(info.color_planes) + (info.has_alpha ? 1 : 0) }

    /// Returns the header of a file; `copied` is the number of bytes that are copied before decoding.
    func header(orientation: Orientation, copied: Int) -> ImageHeader {
        let passes = (info.interlaced ? (info.bit_depth > 8 ? 3 : 2) : 1) * (orientation == .up ? 1 : 2)
        let held = copied + Int(info.extra_bytes)
        let (cost, overflow) = Plane.bytes(size, count: planeCount * passes).addingReportingOverflow(held)
        return ImageHeader(
            format: .png,
            storedSize: size,
            orientation: orientation,
            colorModel: colorModel,
            hasAlpha: info.has_alpha,
            bitDepth: Int(info.bit_depth),
            isProgressive: info.interlaced,
            costs: [overflow ? .max : cost],
            isLossless: true
        )
    }

    func decode() throws(CodecError) -> PlanarImage {
        let planes = try [Plane](unset: size, count: planeCount)
        let profile = iccProfile
        // Linear samples of 16 bits are encoded with the sRGB curve, and the profile is changed to this curve, because
        // 8 linear bits are too few for dark colours.
        let encoded = info.bit_depth > 8 ? profile?.ofEncodedLight(for: colorModel) : nil
        let curve = encoded == nil ? nil : LightCurve.table
        try planes.withTargets { (planes) throws(CodecError) in
            try check(.png, size: size) { hr_png_decode(decoder, planes, curve, $0) }
        }
        return PlanarImage(
            decoded: planes,
            colorModel,
            hasAlpha: info.has_alpha,
            iccProfile: encoded ?? profile,
            isDamaged: hr_png_is_damaged(decoder)
        )
    }

    /// The colour space from the chunk that takes precedence (PNG, third edition, 4.3); nil for sRGB.
    var iccProfile: ICCProfile? {
        if info.transfer > 0 {
            let description = ColorDescription(primaries: UInt16(info.primaries), transfer: UInt16(info.transfer))
            return ICCProfile(description, for: colorModel)
        }
        if let profile = ICCProfile(at: info.icc, count: info.icc_count) { return profile }
        guard !info.is_srgb, info.gamma > 0 else { return nil }
        let points = withUnsafeBytes(of: info.chromaticities) { Array($0.bindMemory(to: Double.self)) }
        return ICCProfile(gamma: info.gamma, chromaticities: points[1] > 0 ? points : nil, for: colorModel)
    }
}
