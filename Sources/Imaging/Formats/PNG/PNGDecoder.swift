import CImageCodec
import Geometry

/// Decodes PNG files of every colour type and depth into 8-bit planes; of an animation, the first picture.
enum PNGDecoder {
    static func readHeader(_ bytes: [UInt8]) throws(CodecError) -> ImageHeader {
        let orientation = PNGChunks.orientation(bytes)
        var header = try bytes.withUnsafeBufferPointer { (buffer) throws(CodecError) in
            try PNGHandle(buffer, limits: DecodeLimits()).header(orientation: orientation)
        }
        header.animation = APNGChunks(bytes)?.info(header: header)
        return header
    }

    /// Decodes one frame of an animation that has been put together as a file, without its colour profile.
    static func decodeFrame(_ file: [UInt8], limits: DecodeLimits) throws(CodecError) -> PlanarImage {
        try file.withUnsafeBufferPointer { (buffer) throws(CodecError) in
            try PNGHandle(buffer, limits: limits, ignoresChecksums: true).decode()
        }
    }

    /// The colour profile of a file.
    static func iccProfile(_ bytes: [UInt8]) throws(CodecError) -> ICCProfile? {
        try bytes.withUnsafeBufferPointer { (buffer) throws(CodecError) in
            try PNGHandle(buffer, limits: DecodeLimits()).iccProfile
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

    init(
        _ bytes: UnsafeBufferPointer<UInt8>,
        limits: DecodeLimits,
        ignoresChecksums: Bool = false
    ) throws(CodecError) {
        guard let start = bytes.baseAddress else { throw .truncated(.png) }
        var decoder: OpaquePointer?
        var info = hr_png_info()
        let cLimits = hr_png_limits(
            max_side: Int32.max,
            max_chunk_memory: ICCProfile.maxBytes,
            ignores_checksums: ignoresChecksums,
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
        let passes = info.interlaced ? (info.bit_depth > 8 ? 3 : 2) : 1
        let planes = plane.partialValue.multipliedReportingOverflow(by: planeCount * passes)
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
        let profile = iccProfile
        // 8 bits hold 16 of light well enough after a curve only, which a profile then states.
        let encoded = info.bit_depth > 8 ? profile?.ofEncodedLight(for: colorModel) : nil
        do {
            if encoded != nil {
                let curve = LightCurve.table
                try check { hr_png_decode(decoder, views, curve, $0) }
            } else {
                try check { hr_png_decode(decoder, views, nil, $0) }
            }
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
            iccProfile: encoded ?? profile
        )
        image.isDamaged = hr_png_is_damaged(decoder)
        return image
    }

    /// The colour space by the chunk that takes precedence (PNG, third edition, 4.3); nil for sRGB.
    var iccProfile: ICCProfile? {
        if info.transfer > 0 {
            let description = ColorDescription(primaries: UInt16(info.primaries), transfer: UInt16(info.transfer))
            return ICCProfile(description, for: colorModel)
        }
        let bytes = info.icc.map { Array(UnsafeBufferPointer(start: $0, count: info.icc_count)) }
        if let profile = bytes.flatMap(ICCProfile.init) { return profile }
        guard !info.is_srgb, info.gamma > 0 else { return nil }
        let points = withUnsafeBytes(of: info.chromaticities) { Array($0.bindMemory(to: Double.self)) }
        return ICCProfile(gamma: info.gamma, chromaticities: points[1] > 0 ? points : nil, for: colorModel)
    }
}
