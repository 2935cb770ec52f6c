package import Geometry

/// The properties of a picture that are known before any pixel is decoded.
package struct ImageHeader: Sendable {
    package internal(set) var format: SourceFormat
    /// Width and height as stored, before the orientation is applied.
    package let storedSize: PixelSize
    /// The transformation from stored to upright pixels.
    package internal(set) var orientation = Orientation.up
    /// The colour model of the decoded picture at full size; smaller scales may have less subsampling.
    package let colorModel: ColorModel
    /// Whether some pixels may be transparent.
    package internal(set) var hasAlpha = false
    /// Bits of a stored sample, 1 to 16; decoded samples have 8.
    package internal(set) var bitDepth = 8
    /// Whether the file stores its picture in several passes (progressive JPEG, interlaced PNG).
    package internal(set) var isProgressive = false

    /// Memory for decoding at 1/8 to 8/8 of the size in bytes: planes and the library's own memory; one number for a
    /// format without scales.
    let costs: [Int]

    /// The quantisation of a JPEG; nil for other formats, and if the file does not define it before its pixels.
    package var quantization: JPEGQuantization?
    /// The possible lossless crops of a JPEG; nil for other formats.
    package var losslessCropping: LosslessCropping?

    /// Whether the file is of a lossless kind: PNG, GIF, lossless WebP.
    package var isLossless = false
    /// The number of parts that an AVIF or HEIC is put together from, at most; 0 for other formats.
    var tileCount = 0
    /// The animation of a file with several complete frames; nil for other files.
    package var animation: AnimationInfo?
    /// The colour space of a file without an ICC profile that states one; nil for other files.
    var colorDescription: ColorDescription?

    package var size: PixelSize { orientation.upright(storedSize) }

    /// Reads the header of a file, in microseconds regardless of the picture's size.
    ///
    /// - Throws: ``CodecError`` if the format is not supported or the header is invalid or truncated.
    package static func read(_ bytes: [UInt8]) throws(CodecError) -> ImageHeader {
        guard let format = SourceFormat.sniff(bytes) else {
            throw .unsupportedFormat(named: ForeignFormat.sniff(bytes))
        }
        return try format.codec.readHeader(bytes)
    }

    /// The peak memory of decoding in bytes, including the result.
    package func decodedBytes(atScale scale: DecodeScale) -> Int { costs[min(scale.eighths, costs.count) - 1] }

    /// Width and height of the upright picture decoded at `scale`; formats other than JPEG always have their full
    /// size.
    package func size(atScale scale: DecodeScale) -> PixelSize {
        guard format == .jpeg else { return size }
        return PixelSize(width: scale.scaled(size.width), height: scale.scaled(size.height))
    }
}

/// The scale at which a picture is decoded, in eighths, which the JPEG transform provides at no cost.
package struct DecodeScale: Hashable, Sendable, Comparable {
    /// 1 to 8.
    package let eighths: Int

    package init(eighths: Int) {
        precondition((1...8).contains(eighths), "1 to 8 eighths")
        self.eighths = eighths
    }

    package static let full = DecodeScale(eighths: 8)

    /// The smallest scale of at least `factor` that is decoded fast; ``full`` if there is none.
    ///
    /// libjpeg-turbo has vector code for 1, 2, 4 and 8 eighths only. A baseline JPEG of 12 megapixels took 15, 17, 19
    /// and 20 ms at these, but 21, 32, 38 and 46 ms at 3, 5, 6 and 7.
    package static func fast(atLeast factor: Double) -> DecodeScale {
        [1, 2, 4].first { Double($0) / 8 >= factor }.map(DecodeScale.init) ?? .full
    }

    package static func < (first: DecodeScale, second: DecodeScale) -> Bool { first.eighths < second.eighths }

    /// The length of a side of `length` pixels at this scale, rounded up.
    package func scaled(_ length: Int) -> Int { (length * eighths + 7) / 8 }
}

/// The limits of a picture; all are checked before any pixel is decoded.
package struct DecodeLimits: Hashable, Codable, Sendable {
    /// Pixels of the stored picture, regardless of the decoding scale.
    package var maxPixels: Int
    package var maxSide: Int
    /// Memory for decoding in bytes, see ``ImageHeader/decodedBytes(atScale:)``.
    package var maxBytes: Int
    /// Scans of one JPEG.
    ///
    /// Progressive files have about ten; each costs a pass over the whole picture.
    package var maxScans: Int
    /// Tiles of an AVIF or HEIC; cameras write about 200.
    package var maxTiles: Int
    /// Pictures that a sequence may announce; only the first one is decoded.
    package var maxFrames: Int
    /// Whether a picture of which at most half is lost is decoded as far as possible; otherwise every damage is an
    /// error.
    package var servesDamaged = true

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

    /// Refuses a picture that exceeds a limit.
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
