#if JPEGXL
import CImageCodec
import Geometry

extension FormatCodec {
    static let jpegxl = FormatCodec(
        name: "JPEG XL",
        fileExtensions: ["jxl"],
        matches: { $0.starts(with: [0xFF, 0x0A]) || $0.starts(with: [0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20]) },
        readHeader: JPEGXLDecoder.readHeader,
        decode: { (bytes, header, _, _) throws(CodecError) in try JPEGXLDecoder.decode(bytes, header) },
        sample: JPEGXLDecoder.sample
    )
}

/// Decodes JPEG XL files with libjxl.
///
/// Only the first frame of an animation is decoded.
private enum JPEGXLDecoder {
    static func readHeader(_ bytes: [UInt8]) throws(CodecError) -> ImageHeader {
        let stream = JPEGXLContainer.codestream(bytes)
        return try (stream ?? bytes).withUnsafeBufferPointer { (buffer) throws(CodecError) in
            try JPEGXLHandle(buffer, copied: stream?.count ?? 0).header
        }
    }

    static func decode(_ bytes: [UInt8], _ header: ImageHeader) throws(CodecError) -> PlanarImage {
        try (JPEGXLContainer.codestream(bytes) ?? bytes).withUnsafeBufferPointer { (buffer) throws(CodecError) in
            try JPEGXLHandle(buffer).decode()
        }.oriented(header.orientation)
    }

    // One white pixel.
    static let sample: [UInt8] = [
        0xFF, 0x0A, 0x00, 0x10, 0x10, 0x09, 0x08, 0x00, 0x01, 0x00, 0x2C, 0x00, 0x4B, 0x18, 0x8B, 0x15, 0xC2, 0x49,
        0x41, 0x1E, 0x80, 0xFE, 0x00,
    ]
}

/// The boxes of a JPEG XL file (ISO/IEC 18181-2, 9).
enum JPEGXLContainer {
    /// Returns the codestream of a file that has a box with a 64-bit size, which libjxl 0.7 misreads; nil for other
    /// files.
    ///
    /// Boxes after an invalid one are ignored, so a truncated file yields the codestream up to its end.
    static func codestream(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count >= 12, bytes[4..<8].elementsEqual("JXL ".utf8) else { return nil }
        let boxes = Boxes(bytes: bytes)
        var (stream, rest, hasLongSize): ([UInt8], Range<Int>, Bool) = ([], 0..<bytes.count, false)
        while rest.count >= 8, let size = boxes.number(in: rest, bytes: 4) {
            let isLong = size == 1
            hasLongSize = hasLongSize || isLong
            var list = boxes.list(in: rest)
            // The last box may be truncated.
            let cut = BoxType(code: boxes.number(in: rest.dropFirst(4), bytes: 4) ?? 0)
            let (type, content) = list.next() ?? (type: cut, content: rest.dropFirst(isLong ? 16 : 8))
            switch type {
            case "jxlc": stream += bytes[content]
            // The number of the part comes first.
            case "jxlp": stream += bytes[content.dropFirst(4)]
            default: break
            }
            rest = content.upperBound..<rest.upperBound
        }
        return hasLongSize && !stream.isEmpty ? stream : nil
    }
}

/// An open libjxl decoder; the bytes it reads must outlive it.
private struct JPEGXLHandle: ~Copyable {
    private let decoder: OpaquePointer
    private let info: hr_jxl_info
    /// The size of a copy of the file, in bytes.
    private let copied: Int

    init(_ bytes: UnsafeBufferPointer<UInt8>, copied: Int = 0) throws(CodecError) {
        guard let start = bytes.baseAddress else { throw .truncated(.jpegxl) }
        var info = hr_jxl_info()
        decoder = try open(.jpegxl, close: hr_jxl_close) {
            hr_jxl_open(start, bytes.count, ICCProfile.maxBytes, &$0, &info, $1)
        }
        self.info = info
        self.copied = copied
    }

    deinit { hr_jxl_close(decoder) }

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
            format: .jpegxl,
            storedSize: size,
            orientation: orientation,
            colorModel: colorModel,
            hasAlpha: info.has_alpha,
            bitDepth: min(Int(info.depth), 16),
            costs: [cost],
            colorDescription: description
        )
    }

    /// The peak memory in bytes.
    ///
    /// The measured maximum was 5 bytes per pixel and channel; animations contain further frames.
    private var cost: Int {
        let channels = 3 + Int(info.extra_planes)
        let planes = planeCount * (orientation == .up ? 1 : 2)
        return min(Plane.bytes(size, count: channels * (info.animated ? 24 : 8) + planes, and: copied), Int.max / 4)
            + (8 << 20)
    }

    func decode() throws(CodecError) -> PlanarImage {
        let planes = try (0..<planeCount).map { (_) throws(CodecError) in try Plane(size, filledWith: 0) }
        let profile = iccProfile
        // Linear samples of more than 8 bits are encoded with the sRGB curve, and the profile is changed to this curve,
        // because 8 linear bits are too few for dark colours.
        let encoded = info.depth > 8 ? profile?.ofEncodedLight(for: colorModel) : nil
        let curve = encoded == nil ? nil : LightCurve.table
        try planes.withTargets { (planes) throws(CodecError) in
            try check(.jpegxl) { hr_jxl_decode(decoder, planes, curve, $0) }
        }
        if info.premultiplied, info.has_alpha { planes.dropLast().unpremultiply(by: planes[planeCount - 1]) }
        return PlanarImage(decoded: planes, colorModel, hasAlpha: info.has_alpha, iccProfile: encoded ?? profile)
    }

    private var description: ColorDescription {
        ColorDescription(primaries: UInt16(clamping: info.primaries), transfer: UInt16(clamping: info.transfer))
    }

    /// The profile of the decoded samples.
    ///
    /// For PQ and HLG, this profile contains the curve, because libjxl's profile does not.
    private var iccProfile: ICCProfile? {
        if description.isHDR, let profile = ICCProfile(description, for: colorModel) { return profile }
        return ICCProfile(at: info.icc, count: info.icc_count)
    }
}
#endif
