import Geometry

extension FormatCodec {
    static let ico = FormatCodec(
        name: "ICO",
        fileExtensions: ["ico"],
        // The file starts with a word of 0 and the type 1, and has at least one image.
        matches: { $0.starts(with: [0, 0, 1, 0]) && $0.count > 5 && ($0[4] > 0 || $0[5] > 0) },
        readHeader: { (bytes) throws(CodecError) in try Icon(bytes).header },
        decode: { (bytes, _, _, limits) throws(CodecError) in try Icon(bytes).decode(limits) },
        sample: Icon.sample
    )
}

/// The largest image of an icon: a PNG file, or a bitmap without a file header.
private enum Icon {
    case png([UInt8], ImageHeader)
    case bitmap(Bitmap)

    /// The maximum number of entries that are examined, and the maximum number of images that are opened; programs
    /// write about ten entries.
    private static let (maxEntries, maxOpened) = (256, 8)

    init(_ bytes: [UInt8]) throws(CodecError) {
        let count = min(bytes.littleEndian(at: 4, bytes: 2) ?? 0, Self.maxEntries)
        var places: [(range: Range<Int>, area: Int, depth: Int)] = []
        for entry in 0..<count {
            guard let length = bytes.littleEndian(at: 14 + 16 * entry, bytes: 4),
                let offset = bytes.littleEndian(at: 18 + 16 * entry, bytes: 4), offset < bytes.count, length > 0
            else { break }
            // 0 means 256. The number of colours matters only between entries of equal size.
            let sides = [6, 7].map { Int(bytes[16 * entry + $0]) }.map { $0 == 0 ? 256 : $0 }
            let depth = bytes.littleEndian(at: 12 + 16 * entry, bytes: 2) ?? 0
            let end = min(offset + length, bytes.count)
            places.append((offset..<end, sides[0] * sides[1], depth))
        }
        let order = places.indices.sorted {
            let (first, second) = (places[$0], places[$1])
            return (first.area, first.depth, -$0) > (second.area, second.depth, -$1)
        }
        guard !order.isEmpty else { throw .truncated(.ico) }
        var failure = CodecError.truncated(.ico)
        for index in order.prefix(Self.maxOpened) {
            do {
                self = try Icon(bytes, at: places[index].range)
                return
            } catch {
                failure = error
            }
        }
        throw failure
    }

    private init(_ bytes: [UInt8], at range: Range<Int>) throws(CodecError) {
        guard FormatCodec.png.matches(Array(bytes[range].prefix(InputFormat.signatureLength))) else {
            self = .bitmap(try Bitmap(Array(bytes[range]), at: 0, format: .ico))
            return
        }
        let file = Array(bytes[range])
        self = .png(file, try FormatCodec.png.readHeader(file))
    }

    var header: ImageHeader {
        switch self {
        case .bitmap(let bitmap): return bitmap.header
        case .png(_, var header):
            header.format = .ico
            header.animation = nil
            return header
        }
    }

    func decode(_ limits: DecodeLimits) throws(CodecError) -> PlanarImage {
        switch self {
        case .bitmap(let bitmap): try bitmap.decode(limits)
        case .png(let file, let header): try FormatCodec.png.decode(file, header, .full, limits)
        }
    }

    // One white pixel of 32 bits, and its mask.
    static let sample: [UInt8] = [
        0x00, 0x00, 0x01, 0x00, 0x01, 0x00,
        0x01, 0x01, 0x00, 0x00, 0x01, 0x00, 0x20, 0x00, 0x30, 0x00, 0x00, 0x00, 0x16, 0x00, 0x00, 0x00,
        0x28, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x01, 0x00, 0x20, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00,
    ]
}
