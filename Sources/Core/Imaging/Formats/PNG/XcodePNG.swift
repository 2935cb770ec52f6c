import Geometry

/// A PNG as Xcode writes it for iOS: a chunk `CgBI` comes first, the pixel stream lacks zlib's header and checksum, and
/// colours are in the order blue, green, red, multiplied by alpha.
struct XcodePNG {
    /// The same chunks as a standard PNG.
    ///
    /// The pixels are still as Xcode writes them, and their checksum is invalid.
    let file: [UInt8]
    /// Whether red and blue must be exchanged; this is true for RGB and RGBA.
    private let swapsColors: Bool

    /// Nil for any other PNG.
    init?(_ bytes: [UInt8]) {
        guard Self.matches(bytes) else { return nil }
        var file = Array(bytes[..<8])
        file.reserveCapacity(bytes.count + 32)
        var type: UInt8?
        var (isInPixels, hasPixels) = (false, false)
        var end = 8
        for chunk in PNGChunks(bytes[...]) {
            end = chunk.whole.upperBound
            if isInPixels, chunk.kind != .idat {
                file += PNGChunks.chunk("IDAT", [0, 0, 0, 0])
                isInPixels = false
            }
            switch chunk.kind {
            case .cgbi: continue
            case .ihdr where chunk.data.count == 13: type = bytes[chunk.data.lowerBound + 9]
            case .idat where !hasPixels:
                (isInPixels, hasPixels) = (true, true)
                // Deflate with a window of 32 KiB (RFC 1950, 2.2).
                file += PNGChunks.chunk("IDAT", [0x78, 0x01])
            default: break
            }
            file += bytes[chunk.whole]
        }
        // A truncated last chunk.
        file += bytes[end...]
        self.file = file
        swapsColors = type == 2 || type == 6
    }

    /// Whether the first chunk is `CgBI`.
    private static func matches(_ bytes: [UInt8]) -> Bool {
        var chunks = PNGChunks(bytes[...])
        return chunks.next()?.kind == .cgbi
    }

    /// The standard image, from the decoded pixels of the file.
    func standard(_ decoded: PlanarImage) -> PlanarImage {
        let planes = swapsColors ? decoded.planes.reversed() : decoded.planes
        if let alpha = decoded.alpha { planes.unpremultiply(by: alpha) }
        return decoded.replacing(planes, alpha: decoded.alpha)
    }
}
