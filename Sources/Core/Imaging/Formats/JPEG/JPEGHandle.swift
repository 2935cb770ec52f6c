import CImageCodec
import Geometry

/// An open libjpeg decoder; the bytes it reads must outlive it.
struct JPEGHandle: ~Copyable {
    let decoder: OpaquePointer
    let info: hr_jpeg_info
    let limits: DecodeLimits

    init(_ bytes: UnsafeBufferPointer<UInt8>, limits: DecodeLimits) throws(CodecError) {
        guard let start = bytes.baseAddress else { throw .truncated(.jpeg) }
        var info = hr_jpeg_info()
        let cLimits = hr_jpeg_limits(
            max_scans: Int32(clamping: limits.maxScans),
            max_memory: Int64(limits.maxBytes),
            whole: !limits.servesDamaged
        )
        decoder = try open(.jpeg, close: hr_jpeg_close) { hr_jpeg_open(start, bytes.count, cLimits, &$0, &info, $1) }
        self.info = info
        self.limits = limits
    }

    deinit { hr_jpeg_close(decoder) }

    var size: PixelSize { PixelSize(width: Int(info.width), height: Int(info.height)) }

    /// Whether some of the decoded rows are damaged.
    var isDamaged: Bool { hr_jpeg_is_damaged(decoder) }

    /// Whether the first component is the luma.
    var firstIsLuma: Bool { info.color == HR_JPEG_GRAY || info.color == HR_JPEG_YCC }

    var iccProfile: ICCProfile? { ICCProfile(at: info.icc, count: info.icc_count) }

    private var orientation: Orientation {
        guard let start = info.exif else { return .up }
        return EXIF.orientation(UnsafeBufferPointer(start: start, count: info.exif_count).span)
    }

    var header: ImageHeader {
        let orientation = orientation
        let planes = withUnsafeBytes(of: info.plane_bytes) { Array($0.bindMemory(to: Int64.self)) }
        let held = Int(info.copied_bytes) + (info.holds_coefficients ? Int(info.coefficient_bytes) : 0)
        let isConverted = info.color == HR_JPEG_CMYK || info.color == HR_JPEG_YCCK
        return ImageHeader(
            format: .jpeg,
            storedSize: size,
            orientation: orientation,
            colorModel: colorModel(turned: orientation.swapsSides),
            isProgressive: info.progressive,
            // Rotation needs one more plane at a time; colour conversion needs up to a second copy of every plane.
            costs: planes.map { held + Int($0) * (isConverted || orientation != .up ? 2 : 1) },
            quantization: quantization(orientation),
            losslessCropping: losslessCropping(orientation)
        )
    }

    func colorModel(turned: Bool) -> ColorModel {
        switch info.color {
        case HR_JPEG_GRAY:
            return .gray
        case HR_JPEG_YCC:
            let subsampling =
                JPEGComponents.subsampling(
                    across: (info.h_samp.0, info.h_samp.1, info.h_samp.2),
                    down: (info.v_samp.0, info.v_samp.1, info.v_samp.2)
                ) ?? .none
            return .ycbcr(turned ? subsampling.transposed : subsampling)
        default:
            return .rgb
        }
    }

    /// Decodes all components or only the first one, in all rows or only the given rows.
    func decode(scale: DecodeScale, firstOnly: Bool, rows: Range<Int>? = nil) throws(CodecError) -> JPEGComponents {
        var layout = hr_jpeg_layout()
        let wanted = hr_jpeg_rows(
            first: Int32(clamping: rows?.lowerBound ?? 0),
            end: Int32(clamping: rows?.upperBound ?? 0xFFFF)
        )
        try check(.jpeg, size: size) {
            hr_jpeg_prepare(decoder, Int32(scale.eighths), firstOnly, wanted, &layout, $0)
        }
        let components = try JPEGComponents(layout, color: firstOnly ? HR_JPEG_GRAY : info.color)
        try components.planes.withTargets { (planes) throws(CodecError) in
            try check(.jpeg, size: size, limit: .scans(limits.maxScans)) { hr_jpeg_decode(decoder, planes, $0) }
        }
        return components
    }
}
