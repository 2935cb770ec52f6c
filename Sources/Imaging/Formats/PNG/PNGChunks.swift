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
}
