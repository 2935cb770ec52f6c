import CImageCodec
import Geometry

/// Decodes PNG files of every colour type and depth into 8-bit planes; of an animation, the first picture.
enum PNGDecoder {
    static func readHeader(_ bytes: [UInt8]) throws(CodecError) -> ImageHeader {
        let orientation = PNGChunks.orientation(bytes)
        return try bytes.withUnsafeBufferPointer { (buffer) throws(CodecError) in
            try PNGHandle(buffer, limits: DecodeLimits()).header(orientation: orientation)
        }
    }

    static func decode(
        _ bytes: [UInt8],
        header: ImageHeader,
        limits: DecodeLimits
    ) throws(CodecError) -> PlanarImage {
        let image = try bytes.withUnsafeBufferPointer { (buffer) throws(CodecError) in
            try PNGHandle(buffer, limits: limits).decode()
        }
        var upright = try image.oriented(header.orientation)
        upright.isDamaged = image.isDamaged
        return upright
    }
}

/// An open libpng decoder; the bytes it reads must outlive it.
private struct PNGHandle: ~Copyable {
    private let decoder: OpaquePointer
    private let info: hr_png_info

    private init(adopting decoder: OpaquePointer, info: hr_png_info) {
        self.decoder = decoder
        self.info = info
    }

    init(_ bytes: UnsafeBufferPointer<UInt8>, limits: DecodeLimits) throws(CodecError) {
        guard let start = bytes.baseAddress else { throw .truncated(.png) }
        var decoder: OpaquePointer?
        var info = hr_png_info()
        let cLimits = hr_png_limits(
            max_side: Int32.max,
            max_chunk_memory: ICCProfile.maxBytes,
            whole: !limits.servesDamaged
        )
        do {
            try check { hr_png_open(start, bytes.count, cLimits, &decoder, &info, $0) }
        } catch {
            hr_png_close(decoder)
            throw error.codecError(.png)
        }
        guard let decoder else { throw .outOfMemory }
        self.init(adopting: decoder, info: info)
    }

    deinit { hr_png_close(decoder) }

    private var size: PixelSize { PixelSize(width: Int(info.width), height: Int(info.height)) }
    private var colorModel: ColorModel { info.color_planes == 1 ? .gray : .rgb }
    private var planeCount: Int { Int(info.color_planes) + (info.has_alpha ? 1 : 0) }

    func header(orientation: Orientation) -> ImageHeader {
        // 2³¹ by 2³¹ pixels of 4 bytes exceed an Int.
        let plane = Plane.bytesPerRow(size.width).multipliedReportingOverflow(by: size.height)
        let planes = plane.partialValue.multipliedReportingOverflow(by: planeCount * (info.interlaced ? 2 : 1))
        let turned = planes.partialValue.addingReportingOverflow(orientation == .up ? 0 : planes.partialValue)
        let overflow = plane.overflow || planes.overflow || turned.overflow
        var header = ImageHeader(
            format: .png,
            storedSize: size,
            orientation: orientation,
            colorModel: colorModel,
            hasAlpha: info.has_alpha,
            bitDepth: Int(info.bit_depth),
            isProgressive: info.interlaced,
            costs: Array(repeating: overflow ? .max : turned.partialValue, count: 8)
        )
        header.isLossless = true
        return header
    }

    func decode() throws(CodecError) -> PlanarImage {
        var planes: [Plane] = []
        for _ in 0..<planeCount {
            planes.append(try Plane(unset: size))
        }
        let views = planes.map(\.view)
        do {
            try check { hr_png_decode(decoder, views, $0) }
        } catch {
            throw error.codecError(.png, size: size)
        }
        let alpha = info.has_alpha ? planes.removeLast() : nil
        var image = PlanarImage(
            size: size,
            colorModel: colorModel,
            planes: planes,
            // Many programs write an opaque alpha channel; without it all further steps are cheaper.
            alpha: alpha.flatMap { $0.isFilled(with: 255) ? nil : $0 },
            iccProfile: iccProfile
        )
        image.isDamaged = hr_png_is_damaged(decoder)
        return image
    }

    private var iccProfile: ICCProfile? {
        guard let start = info.icc else { return nil }
        return ICCProfile(Array(UnsafeBufferPointer(start: start, count: info.icc_count)))
    }
}
