#if TIFF
import CImageCodec
import Geometry

extension FormatCodec {
    static let tiff = FormatCodec(
        name: "TIFF",
        fileExtensions: ["tiff", "tif"],
        // Two letters for the byte order, followed by 42, or by 43 for 64-bit offsets.
        matches: { bytes in
            [[0x49, 0x49, 0x2A, 0], [0x4D, 0x4D, 0, 0x2A], [0x49, 0x49, 0x2B, 0], [0x4D, 0x4D, 0, 0x2B]]
                .contains { bytes.starts(with: $0) }
        },
        readHeader: TIFFDecoder.readHeader,
        decode: { (bytes, header, _, limits) throws(CodecError) in
            try TIFFDecoder.decode(bytes, limits).oriented(header.orientation)
        },
        sample: TIFFDecoder.sample
    )
}

/// Decodes TIFF files with libtiff.
///
/// If a file has several images, only the first is decoded.
private enum TIFFDecoder {
    static func readHeader(_ bytes: [UInt8]) throws(CodecError) -> ImageHeader {
        try bytes.withUnsafeBufferPointer { (buffer) throws(CodecError) in
            try TIFFHandle(buffer, limits: DecodeLimits(maxBytes: headerBytes)).header
        }
    }

    /// The maximum allocation for a directory, before the memory of the image is reserved.
    private static let headerBytes = 64 << 20

    static func decode(_ bytes: [UInt8], _ limits: DecodeLimits) throws(CodecError) -> PlanarImage {
        try bytes.withUnsafeBufferPointer { (buffer) throws(CodecError) in
            try TIFFHandle(buffer, limits: limits).decode()
        }
    }

    // One white pixel: a header, a directory of eight entries, and the pixel.
    static let sample: [UInt8] = [
        0x49, 0x49, 0x2A, 0x00, 0x08, 0x00, 0x00, 0x00, 0x08, 0x00,
        0x00, 0x01, 0x03, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00,
        0x01, 0x01, 0x03, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00,
        0x02, 0x01, 0x03, 0x00, 0x01, 0x00, 0x00, 0x00, 0x08, 0x00, 0x00, 0x00,
        0x03, 0x01, 0x03, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00,
        0x06, 0x01, 0x03, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00,
        0x11, 0x01, 0x04, 0x00, 0x01, 0x00, 0x00, 0x00, 0x6E, 0x00, 0x00, 0x00,
        0x16, 0x01, 0x03, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00,
        0x17, 0x01, 0x04, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00, 0xFF,
    ]
}

/// An open libtiff decoder; the bytes it reads must outlive it.
private struct TIFFHandle: ~Copyable {
    private let decoder: OpaquePointer
    private let info: hr_tiff_info

    init(_ bytes: UnsafeBufferPointer<UInt8>, limits: DecodeLimits) throws(CodecError) {
        guard let start = bytes.baseAddress else { throw .truncated(.tiff) }
        var info = hr_tiff_info()
        let cLimits = hr_tiff_limits(max_memory: Int64(max(1, limits.maxBytes)), whole: !limits.servesDamaged)
        decoder = try open(.tiff, close: hr_tiff_close) { hr_tiff_open(start, bytes.count, cLimits, &$0, &info, $1) }
        self.info = info
    }

    deinit { hr_tiff_close(decoder) }

    private var size: PixelSize { PixelSize(width: Int(info.width), height: Int(info.height)) }
    private var colorModel: ColorModel {
        switch info.color_planes {
        case 1: .gray
        case 4: .cmyk
        default: .rgb
        }
    }
    private var planeCount: Int { Int(info.color_planes) + (info.has_alpha ? 1 : 0) }
    private var orientation: Orientation { Orientation(rawValue: Int(info.orientation)) ?? .up }

    var header: ImageHeader {
        ImageHeader(
            format: .tiff,
            storedSize: size,
            orientation: orientation,
            colorModel: colorModel,
            hasAlpha: info.has_alpha,
            bitDepth: Int(info.depth),
            costs: [cost],
            isLossless: !info.is_lossy
        )
    }

    /// The peak memory in bytes: the planes, which exist twice during a rotation, a strip or tile, and the tables of a
    /// codec.
    private var cost: Int {
        let planes = planeCount * (orientation == .up ? 1 : 2)
        return min(Plane.bytes(size, count: planes, and: Int(info.block_bytes)), Int.max / 4) + (1 << 20)
    }

    func decode() throws(CodecError) -> PlanarImage {
        let planes = try [Plane](unset: size, count: planeCount)
        try planes.withTargets { (planes) throws(CodecError) in
            try check(.tiff, size: size) { hr_tiff_decode(decoder, planes, $0) }
        }
        return PlanarImage(
            decoded: planes,
            colorModel,
            hasAlpha: info.has_alpha,
            iccProfile: ICCProfile(at: info.icc, count: info.icc_count),
            isDamaged: hr_tiff_is_damaged(decoder)
        )
    }
}
#endif
