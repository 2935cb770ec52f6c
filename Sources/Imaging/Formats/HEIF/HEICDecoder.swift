#if HEIC
import CImageCodec
import Geometry

extension FormatCodec {
    static let heic = FormatCodec(
        name: "HEIC",
        fileExtensions: ["heic", "heif", "hif"],
        matches: { MediaBrands($0)?.family == .heic },
        readHeader: HEICDecoder.readHeader,
        decode: HEICDecoder.decode,
        sample: HEICDecoder.sample
    )
}

/// Decodes HEIF files of HEVC pictures with libheif and libde265, which applies crop, rotation and mirroring.
private enum HEICDecoder {
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

    static func decode(
        _ bytes: [UInt8],
        _: ImageHeader,
        _: DecodeScale,
        _ limits: DecodeLimits
    ) throws(CodecError) -> PlanarImage {
        let items = HEIFItems(bytes)
        let grid = items?.grid
        let file = grid.flatMap { items?.file(revealing: $0.tiles) } ?? bytes
        return try file.withUnsafeBufferPointer { (buffer) throws(CodecError) in
            let handle = try HEICHandle(buffer, HEIFBoxes(bytes), limits: limits)
            if let grid, let image = try handle.decode(grid) { return image }
            return try handle.decode()
        }
    }

    // White, 16 by 16 pixels.
    static let sample: [UInt8] = [
        0x00, 0x00, 0x00, 0x1C, 0x66, 0x74, 0x79, 0x70, 0x68, 0x65, 0x69, 0x63, 0x00, 0x00, 0x00, 0x00, 0x6D, 0x69,
        0x66, 0x31, 0x68, 0x65, 0x69, 0x63, 0x6D, 0x69, 0x61, 0x66, 0x00, 0x00, 0x01, 0x7C, 0x6D, 0x65, 0x74, 0x61,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x21, 0x68, 0x64, 0x6C, 0x72, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x70, 0x69, 0x63, 0x74, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x22, 0x69, 0x6C, 0x6F, 0x63, 0x00, 0x00, 0x00, 0x00, 0x44, 0x40, 0x00, 0x01, 0x00,
        0x01, 0x00, 0x00, 0x00, 0x00, 0x01, 0xA0, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x2B, 0x00,
        0x00, 0x00, 0x23, 0x69, 0x69, 0x6E, 0x66, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x15, 0x69,
        0x6E, 0x66, 0x65, 0x02, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x68, 0x76, 0x63, 0x31, 0x00, 0x00, 0x00,
        0x00, 0x0E, 0x70, 0x69, 0x74, 0x6D, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0xFC, 0x69, 0x70,
        0x72, 0x70, 0x00, 0x00, 0x00, 0xDC, 0x69, 0x70, 0x63, 0x6F, 0x00, 0x00, 0x00, 0x75, 0x68, 0x76, 0x63, 0x43,
        0x01, 0x03, 0x70, 0x00, 0x00, 0x00, 0x90, 0x00, 0x00, 0x00, 0x00, 0x00, 0x1E, 0xF0, 0x00, 0xFC, 0xFD, 0xF8,
        0xF8, 0x00, 0x00, 0x0F, 0x03, 0x60, 0x00, 0x01, 0x00, 0x18, 0x40, 0x01, 0x0C, 0x01, 0xFF, 0xFF, 0x03, 0x70,
        0x00, 0x00, 0x03, 0x00, 0x90, 0x00, 0x00, 0x03, 0x00, 0x00, 0x03, 0x00, 0x1E, 0xBA, 0x02, 0x40, 0x61, 0x00,
        0x01, 0x00, 0x29, 0x42, 0x01, 0x01, 0x03, 0x70, 0x00, 0x00, 0x03, 0x00, 0x90, 0x00, 0x00, 0x03, 0x00, 0x00,
        0x03, 0x00, 0x1E, 0xA0, 0x20, 0x81, 0x05, 0x96, 0xEA, 0xAE, 0x9A, 0xE6, 0xE0, 0x21, 0xA0, 0xC0, 0x80, 0x00,
        0x00, 0x0C, 0x80, 0x00, 0x00, 0x03, 0x00, 0x84, 0x62, 0x00, 0x01, 0x00, 0x06, 0x44, 0x01, 0xC1, 0x73, 0xC1,
        0x89, 0x00, 0x00, 0x00, 0x13, 0x63, 0x6F, 0x6C, 0x72, 0x6E, 0x63, 0x6C, 0x78, 0x00, 0x01, 0x00, 0x0D, 0x00,
        0x06, 0x80, 0x00, 0x00, 0x00, 0x14, 0x69, 0x73, 0x70, 0x65, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x40,
        0x00, 0x00, 0x00, 0x40, 0x00, 0x00, 0x00, 0x28, 0x63, 0x6C, 0x61, 0x70, 0x00, 0x00, 0x00, 0x10, 0x00, 0x00,
        0x00, 0x01, 0x00, 0x00, 0x00, 0x10, 0x00, 0x00, 0x00, 0x01, 0xFF, 0xFF, 0xFF, 0xD0, 0x00, 0x00, 0x00, 0x02,
        0xFF, 0xFF, 0xFF, 0xD0, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x10, 0x70, 0x69, 0x78, 0x69, 0x00, 0x00,
        0x00, 0x00, 0x03, 0x08, 0x08, 0x08, 0x00, 0x00, 0x00, 0x18, 0x69, 0x70, 0x6D, 0x61, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x01, 0x00, 0x01, 0x05, 0x81, 0x02, 0x03, 0x05, 0x84, 0x00, 0x00, 0x00, 0x33, 0x6D, 0x64,
        0x61, 0x74, 0x00, 0x00, 0x00, 0x27, 0x28, 0x01, 0xAF, 0x13, 0x21, 0x31, 0x96, 0xF8, 0x4E, 0x50, 0xA7, 0x96,
        0xFD, 0x63, 0x02, 0xCD, 0x0C, 0x95, 0x4C, 0x5A, 0xB9, 0x4F, 0xA5, 0x73, 0xDD, 0x0A, 0x50, 0x93, 0x72, 0x7E,
        0xB8, 0xFE, 0xF2, 0x87, 0x93, 0xC5, 0x62, 0x82, 0xE0,
    ]
}

/// An open libheif decoder; the bytes it reads must outlive it.
private struct HEICHandle: ~Copyable {
    private let decoder: OpaquePointer
    private let info: hr_heif_info

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
        var info = hr_heif_info()
        let cLimits = hr_heif_limits(limits)
        decoder = try open(.heic, close: hr_heic_close) { hr_heic_open(start, bytes.count, cLimits, &$0, &info, $1) }
        info.h_shared = Int32(boxes.chroma?.horizontal ?? 0)
        info.v_shared = Int32(boxes.chroma?.vertical ?? 0)
        self.info = info
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
        try check(.heic) { hr_heic_decode(decoder, &info, &samples, $0) }
        return try CodedPicture(format: .heic, info: info).image(samples)
    }

    /// The picture of a grid, tile by tile: libheif 1.15 would hold the whole several times, and convert its samples to
    /// RGB and back.
    ///
    /// - Returns: Nil if it has alpha, or if tiles divide chroma samples.
    func decode(_ grid: HEIFItems.Grid) throws(CodecError) -> PlanarImage? {
        guard !info.has_alpha else { return nil }
        let (first, samples) = try tile(grid.tiles[0])
        let size = PixelSize(width: Int(first.width), height: Int(first.height))
        let rows = grid.tiles.count / grid.columns
        guard size.width * grid.columns >= grid.size.width, size.height * rows >= grid.size.height else {
            throw .corrupt(.heic, "its tiles do not cover the picture")
        }
        let picture = CodedPicture(of: grid, tile: first, info)
        let upright = grid.orientation.upright(grid.size)
        guard upright == PixelSize(width: Int(info.crop_width), height: Int(info.crop_height)),
            grid.tiles.count > 1 || size == grid.size
        else {
            throw .corrupt(.heic, "its picture does not have the size that is declared")
        }
        guard picture.dividesNoChroma(tiles: size) else { return nil }
        let planes = try picture.codedPlanes()
        try picture.narrow(samples, into: planes, at: (0, 0))
        for (index, item) in grid.tiles.enumerated().dropFirst() {
            let (info, samples) = try tile(item)
            guard info.width == first.width, info.height == first.height, info.depth == first.depth,
                info.h_shared == first.h_shared, info.v_shared == first.v_shared, info.matrix == first.matrix,
                info.full_range == first.full_range
            else { throw .corrupt(.heic, "its tiles differ in size or colours") }
            let place = (x: index % grid.columns * size.width, y: index / grid.columns * size.height)
            try picture.narrow(samples, into: planes, at: place)
        }
        return try picture.image(planes, alpha: nil)
    }

    private func tile(_ item: Int) throws(CodecError) -> (hr_heif_info, hr_heif_picture) {
        var (info, samples) = (info, hr_heif_picture())
        try check(.heic) { hr_heic_decode_tile(decoder, UInt32(clamping: item), &info, &samples, $0) }
        return (info, samples)
    }
}
#endif
