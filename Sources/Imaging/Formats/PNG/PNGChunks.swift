/// Iterates over the chunks of a PNG file (PNG, third edition, 5.3) to find metadata that libpng reads only after all
/// pixels.
enum PNGChunks {
    /// The orientation in an eXIf chunk, which may precede or follow the image data.
    static func orientation(_ bytes: [UInt8]) -> Orientation {
        let span = bytes.span
        var offset = 8
        while offset <= span.count - 12 {
            let length = (0..<4).reduce(0) { $0 << 8 | Int(span[offset + $1]) }
            let data = offset + 8
            guard length <= span.count - data - 4 else { return .up }
            if (0..<4).allSatisfy({ span[offset + 4 + $0] == exif[$0] }) {
                return ExifOrientation.parse(span.extracting(data..<data + length))
            }
            offset = data + length + 4
        }
        return .up
    }

    private static let exif = Array("eXIf".utf8)

    /// The most chunks before the picture that ``announceAnimation(_:)`` looks at.
    private static let mostChunks = 1000

    /// Whether an acTL chunk precedes the picture, or there are too many chunks to say.
    static func announceAnimation(_ bytes: ArraySlice<UInt8>) -> Bool {
        var offset = bytes.startIndex + 8
        for _ in 0..<mostChunks {
            guard bytes.endIndex - offset >= 12 else { return false }
            let length = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            let type = bytes[offset + 4..<offset + 8]
            if type.elementsEqual("acTL".utf8) { return true }
            guard !type.elementsEqual("IDAT".utf8), length <= bytes.endIndex - offset - 12 else { return false }
            offset += length + 12
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

    /// Four bytes, the most significant first.
    static func number(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    /// The data of all chunks of a type in a file, in their order.
    static func contents(of type: String, in bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var found: [ArraySlice<UInt8>] = []
        var offset = 8
        while offset + 12 <= bytes.count {
            let length = (0..<4).reduce(0) { $0 << 8 | Int(bytes[offset + $1]) }
            let data = offset + 8
            guard length <= bytes.count - data - 4 else { break }
            if bytes[offset + 4..<data].elementsEqual(type.utf8) { found.append(bytes[data..<data + length]) }
            offset = data + length + 4
        }
        return found
    }

    /// The CRC-32 of a chunk (PNG, third edition, 5.5).
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        ~bytes.reduce(UInt32.max) { sum, byte in sum >> 8 ^ remainders[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] }
    }

    private static let remainders: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in value >> 1 ^ (value & 1) * 0xEDB8_8320 }
    }
}
