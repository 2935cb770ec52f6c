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
}
