import Geometry

extension FormatCodec {
    static let bmp = FormatCodec(
        name: "BMP",
        fileExtensions: ["bmp", "dib"],
        // The two letters of the signature are too weak, so the size of the second header must be one of those that
        // exist.
        matches: { bytes in
            bytes.starts(with: "BM".utf8) && bytes.count > 17
                && [12, 16, 40, 52, 56, 64, 108, 124].contains(bytes[14]) && bytes[15...17].allSatisfy { $0 == 0 }
        },
        readHeader: { (bytes) throws(CodecError) in try BMPDecoder.bitmap(bytes).header },
        decode: { (bytes, _, _, limits) throws(CodecError) in try BMPDecoder.bitmap(bytes).decode(limits) },
        sample: BMPDecoder.sample
    )
}

/// Reads the header of BMP files; what follows is a ``Bitmap``.
private enum BMPDecoder {
    static func bitmap(_ bytes: [UInt8]) throws(CodecError) -> Bitmap {
        let fields = LittleEndian(bytes)
        return try Bitmap(bytes, at: 14, pixels: fields.number(at: 10, bytes: 4), format: .bmp)
    }

    // One white pixel of 24 bits.
    static let sample: [UInt8] = [
        0x42, 0x4D, 0x3A, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x36, 0x00, 0x00, 0x00,
        0x28, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x00, 0x18, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x04, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0x00,
    ]
}

/// Numbers in a file, the least significant byte first.
struct LittleEndian {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// A number of up to four bytes; nil if the file ends before.
    func number(at offset: Int, bytes count: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - count else { return nil }
        return (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }

    /// A number of four bytes with a sign.
    func signed(at offset: Int) -> Int? {
        number(at: offset, bytes: 4).map { Int(Int32(truncatingIfNeeded: $0)) }
    }
}
