/// The first bytes of the image and video files that the service reads.
///
/// None of these signatures starts a useful stream of gzip, zlib, raw deflate, Brotli or Zstandard.
enum ImageSignature {
    /// Signatures of formats that are recognised only by their first bytes.
    private static let beginnings: [[UInt8]] = [
        [0xFF, 0xD8, 0xFF],
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A],
        Array("GIF8".utf8),
        // A JPEG XL codestream, and its container.
        [0xFF, 0x0A],
        [0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20],
        // TIFF and BigTIFF.
        [0x49, 0x49, 0x2A, 0],
        [0x4D, 0x4D, 0, 0x2A],
        [0x49, 0x49, 0x2B, 0],
        [0x4D, 0x4D, 0, 0x2B],
        // Windows icons and cursors.
        [0, 0, 1, 0],
        [0, 0, 2, 0],
    ]

    /// The possible lengths of the second header of a BMP file.
    private static let bitmapHeaders: [UInt8] = [12, 16, 40, 52, 56, 64, 108, 124]

    /// Whether a file starts like an image or a video.
    static func begins(_ bytes: [UInt8]) -> Bool {
        if beginnings.contains(where: bytes.starts) { return true }
        // RIFF with WebP, and the ISO base media format: AVIF, HEIC, MP4.
        if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) { return true }
        if bytes.dropFirst(4).starts(with: "ftyp".utf8) { return true }
        return bytes.starts(with: "BM".utf8) && bytes.count > 17 && bitmapHeaders.contains(bytes[14])
            && bytes[15...17].allSatisfy { $0 == 0 }
    }
}
