import Geometry

extension FormatCodec {
    static let bmp = FormatCodec(
        name: "BMP",
        fileExtensions: ["bmp", "dib"],
        // The two letters of the signature are not specific enough, so the size of the second header must also be a
        // known size.
        matches: { bytes in
            bytes.starts(with: "BM".utf8) && bytes.count > 17
                && [12, 16, 40, 52, 56, 64, 108, 124].contains(bytes[14]) && bytes[15...17].allSatisfy { $0 == 0 }
        },
        readHeader: { (bytes) throws(CodecError) in try BMPDecoder.bitmap(bytes).header },
        decode: { (bytes, _, _, limits) throws(CodecError) in try BMPDecoder.bitmap(bytes).decode(limits) },
        sample: BMPDecoder.sample
    )
}

/// Reads the header of BMP files; a ``Bitmap`` follows it.
private enum BMPDecoder {
    static func bitmap(_ bytes: [UInt8]) throws(CodecError) -> Bitmap {
        try Bitmap(bytes, at: 14, pixels: bytes.littleEndian(at: 10, bytes: 4), format: .bmp)
    }

    // One white pixel of 24 bits.
    static let sample: [UInt8] = [
        0x42, 0x4D, 0x3A, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x36, 0x00, 0x00, 0x00,
        0x28, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x00, 0x18, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x04, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0x00,
    ]
}
