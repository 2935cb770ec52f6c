import Geometry

/// The limits of an image; all are checked before any pixel is decoded.
package struct DecodeLimits: Hashable, Codable, Sendable {
    /// Pixels of the stored image, regardless of the decoding scale.
    package var maxPixels: Int
    /// Pixels along one side of the stored image.
    package var maxSide: Int
    /// Memory for decoding in bytes, see ``ImageHeader/decodedBytes(atScale:)``.
    package var maxBytes: Int
    /// Scans of one JPEG.
    ///
    /// Progressive files have about ten; each costs a pass over the whole image.
    package var maxScans: Int
    /// Tiles of an AVIF or HEIC; cameras write about 200.
    package var maxTiles: Int
    /// Images that a sequence may announce; only the first one is decoded.
    package var maxFrames: Int
    /// Whether a damaged image is decoded up to the damage if at most half of its data are lost.
    ///
    /// Otherwise any damage is an error.
    package var servesDamaged = true

    /// Creates limits; the defaults allow camera images.
    ///
    /// - Parameters:
    ///   - maxPixels: Pixels of the stored image, regardless of the decoding scale.
    ///   - maxSide: Pixels along one side.
    ///   - maxBytes: Memory for decoding, in bytes.
    ///   - maxScans: Scans of one JPEG.
    ///   - maxTiles: Tiles of an AVIF or HEIC.
    ///   - maxFrames: Images that a sequence may announce.
    package init(
        maxPixels: Int = 50_000_000,
        maxSide: Int = 65_535,
        maxBytes: Int = 1 << 30,
        maxScans: Int = 100,
        maxTiles: Int = 1024,
        maxFrames: Int = 100_000
    ) {
        self.maxPixels = maxPixels
        self.maxSide = maxSide
        self.maxBytes = maxBytes
        self.maxScans = maxScans
        self.maxTiles = maxTiles
        self.maxFrames = maxFrames
    }

    /// Throws if an image exceeds a limit.
    ///
    /// - Throws: ``CodecError/tooLarge(_:limit:)``.
    package func check(_ header: ImageHeader, scale: DecodeScale) throws(CodecError) {
        let size = header.storedSize
        if size.longSide > maxSide { throw .tooLarge(size, limit: .side(maxSide)) }
        if size.area > maxPixels { throw .tooLarge(size, limit: .pixels(maxPixels)) }
        if header.decodedBytes(atScale: scale) > maxBytes { throw .tooLarge(size, limit: .bytes(maxBytes)) }
        if header.tileCount > maxTiles { throw .tooLarge(size, limit: .tiles(maxTiles)) }
    }
}
