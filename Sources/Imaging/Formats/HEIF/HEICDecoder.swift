#if HEIC
import CImageCodec
import Geometry

/// Decodes HEIF files of HEVC pictures with libheif and libde265, which applies crop, rotation and mirroring.
enum HEICDecoder {
    /// Items of a file: as many tiles as are allowed, the same for alpha, and others.
    static let mostItems = 2560
    /// Bytes of a decoder's configuration, which is read for each tile; cameras write about 100.
    static let mostConfigurationBytes = 8 << 10

    static func readHeader(_ bytes: [UInt8]) throws(CodecError) -> ImageHeader {
        let boxes = HEIFBoxes(bytes)
        var header = try bytes.withUnsafeBufferPointer { (buffer) throws(CodecError) in
            try HEICHandle(buffer, boxes, limits: DecodeLimits()).header
        }
        header.tileCount = boxes.maxTiles
        return header
    }

    static func decode(_ bytes: [UInt8], limits: DecodeLimits) throws(CodecError) -> PlanarImage {
        try bytes.withUnsafeBufferPointer { (buffer) throws(CodecError) in
            try HEICHandle(buffer, HEIFBoxes(bytes), limits: limits).decode()
        }
    }
}

/// An open libheif decoder; the bytes it reads must outlive it.
private struct HEICHandle: ~Copyable {
    private let decoder: OpaquePointer
    private let info: hr_heif_info

    private init(adopting decoder: OpaquePointer, info: hr_heif_info) {
        self.decoder = decoder
        self.info = info
    }

    init(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ boxes: HEIFBoxes,
        limits: DecodeLimits
    ) throws(CodecError) {
        guard let start = bytes.baseAddress else { throw .truncated(.heic) }
        // libheif 1.15 follows circles until the stack is full, and its time grows with the square of the items.
        guard !boxes.nestsDeeply else { throw .corrupt(.heic, "its pictures are derived from each other too deeply") }
        guard boxes.items <= HEICDecoder.mostItems else {
            throw .corrupt(.heic, "it has more than \(HEICDecoder.mostItems) items")
        }
        guard boxes.configurationBytes <= HEICDecoder.mostConfigurationBytes else {
            throw .corrupt(.heic, "its configuration has more than \(HEICDecoder.mostConfigurationBytes) bytes")
        }
        guard !boxes.repeatsData else { throw .corrupt(.heic, "its tiles have more bytes than the file") }
        var decoder: OpaquePointer?
        var info = hr_heif_info()
        let cLimits = hr_heif_limits(limits)
        do {
            try check { hr_heic_open(start, bytes.count, cLimits, &decoder, &info, $0) }
        } catch {
            hr_heic_close(decoder)
            throw error.codecError(.heic)
        }
        guard let decoder else { throw .outOfMemory }
        info.h_shared = Int32(boxes.chroma?.horizontal ?? 0)
        info.v_shared = Int32(boxes.chroma?.vertical ?? 0)
        self.init(adopting: decoder, info: info)
    }

    deinit { hr_heic_close(decoder) }

    /// Bytes for each pixel at the peak of decoding, planes included; measured up to 7, 10 and 13 without alpha.
    private var bytesPerPixel: Int { (info.depth > 8 ? 16 : 12) + (info.has_alpha ? 6 : 0) }

    var header: ImageHeader {
        // libheif applies the crop.
        var upright = info
        upright.x = 0
        upright.y = 0
        // Sides have 32 bits.
        let size = PixelSize(width: Int(info.crop_width), height: Int(info.crop_height))
        let coded = PixelSize(width: Int(info.width), height: Int(info.height))
        let (bytes, overflow) = max(size.area, coded.area).multipliedReportingOverflow(by: bytesPerPixel)
        let cost = overflow ? Int.max / 4 : min(bytes, Int.max / 4) + (8 << 20)
        var header = ImageHeader(
            format: .heic,
            storedSize: size,
            orientation: .up,
            colorModel: CodedPicture(format: .heic, info: upright).colorModel,
            hasAlpha: info.has_alpha,
            bitDepth: Int(info.depth),
            isProgressive: false,
            costs: Array(repeating: cost, count: 8)
        )
        header.colorDescription = info.colorDescription
        return header
    }

    func decode() throws(CodecError) -> PlanarImage {
        var samples = hr_heif_picture()
        var info = info
        do {
            try check { hr_heic_decode(decoder, &info, &samples, $0) }
        } catch {
            throw error.codecError(.heic)
        }
        return try CodedPicture(format: .heic, info: info).image(samples)
    }
}
#endif
