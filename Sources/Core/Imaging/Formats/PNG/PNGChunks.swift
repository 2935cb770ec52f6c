/// The chunks of a PNG file in order: length, type, data and checksum (PNG, third edition, 5.3).
///
/// The sequence ends before the first incomplete chunk. Checksums are not verified. libpng reads some of these chunks
/// only after all pixels.
struct PNGChunks: Sequence, IteratorProtocol {
    /// The types of chunks that are read here, by their four letters.
    enum Kind: Int {
        case cgbi = 0x4367_4249
        case ihdr = 0x4948_4452
        case plte = 0x504C_5445
        case trns = 0x7452_4E53
        case actl = 0x6163_544C
        case fctl = 0x6663_544C
        case fdat = 0x6664_4154
        case idat = 0x4944_4154
        case iend = 0x4945_4E44
        case exif = 0x6558_4966
        case itxt = 0x6954_5874
        case text = 0x7445_5874
    }

    struct Chunk {
        /// The type; nil for a type that is not read here.
        let kind: Kind?
        let data: Range<Int>
        var whole: Range<Int> { data.lowerBound - 8..<data.upperBound + 4 }
    }

    private let bytes: ArraySlice<UInt8>
    private var offset: Int

    /// The chunks starting at an offset, by default after the signature.
    init(_ bytes: ArraySlice<UInt8>, from offset: Int? = nil) {
        self.bytes = bytes
        self.offset = offset ?? bytes.startIndex + 8
    }

    mutating func next() -> Chunk? {
        guard bytes.endIndex - offset >= 12 else { return nil }
        let length = Self.number(in: bytes, at: offset)
        guard length <= bytes.endIndex - offset - 12 else { return nil }
        let data = offset + 8..<offset + 8 + length
        let chunk = Chunk(kind: Kind(rawValue: Self.number(in: bytes, at: offset + 4)), data: data)
        offset = chunk.whole.upperBound
        return chunk
    }

    /// A number of some bytes, most significant byte first.
    static func number(in bytes: ArraySlice<UInt8>, at offset: Int, bytes count: Int = 4) -> Int {
        bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
    }

    /// The orientation in an eXIf chunk, which may precede or follow the image data.
    static func orientation(_ bytes: [UInt8]) -> Orientation {
        let chunk = PNGChunks(bytes[...]).first { $0.kind == .exif }
        return chunk.map { EXIF.orientation(bytes.span.extracting($0.data)) } ?? .up
    }

    /// The maximum number of chunks before the image that ``announceAnimation(_:)`` examines.
    private static let maxChunks = 1000

    /// Whether an acTL chunk precedes the image; also true if too many chunks precede the image to check this.
    static func announceAnimation(_ bytes: ArraySlice<UInt8>) -> Bool {
        var chunks = PNGChunks(bytes)
        for _ in 0..<maxChunks {
            guard let chunk = chunks.next(), chunk.kind != .idat else { return false }
            if chunk.kind == .actl { return true }
        }
        return true
    }

    // MARK: Writing

    /// A chunk: length, type, data and checksum.
    static func chunk(_ type: String, _ data: some Collection<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(12 + data.count)
        result += number(UInt32(clamping: data.count))
        result += type.utf8
        result += data
        result += number(checksum(result.dropFirst(4)))
        return result
    }

    /// Four bytes, most significant byte first.
    static func number(_ value: UInt32) -> [UInt8] { [UInt8](bigEndian: Int(value), count: 4) }

    /// The CRC-32 of a chunk (PNG, third edition, 5.5).
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        ~bytes.reduce(UInt32.max) { sum, byte in sum >> 8 ^ remainders[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] }
    }

    private static let remainders: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in value >> 1 ^ (value & 1) * 0xEDB8_8320 }
    }
}
