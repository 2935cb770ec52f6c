package import Geometry

/// The properties of an image, read from its header without decoding pixels.
package struct ImageHeader: Sendable {
    package internal(set) var format: InputFormat
    /// Width and height as stored, before the orientation is applied.
    package let storedSize: PixelSize
    /// The transformation from stored to upright pixels.
    package internal(set) var orientation = Orientation.up
    /// The colour model of the decoded image at full size; smaller scales may have less subsampling.
    package let colorModel: ColorModel
    /// Whether some pixels may be transparent.
    package internal(set) var hasAlpha = false
    /// Bits of a stored sample, 1 to 16; decoded samples have 8.
    package internal(set) var bitDepth = 8
    /// Whether the file stores its image in several passes (progressive JPEG, interlaced PNG).
    package internal(set) var isProgressive = false

    /// The memory in bytes for decoding at 1/8 to 8/8 of the size, for planes and the library; one number for a format
    /// without scales.
    let costs: [Int]

    /// The quantisation of a JPEG; nil for other formats, or if the file does not define it before its pixels.
    package var quantization: JPEGQuantization?
    /// The possible lossless crops of a JPEG; nil for other formats.
    package var losslessCropping: LosslessCropping?

    /// Whether the file is lossless: PNG, GIF, lossless WebP.
    package var isLossless = false
    /// The maximum number of parts that an AVIF or HEIC is assembled from; 0 for other formats.
    var tileCount = 0
    /// The animation of a file with several complete frames; nil for other files.
    package var animation: AnimationInfo?
    /// The colour space that a file without an ICC profile states; nil for other files.
    var colorDescription: ColorDescription?

    package var size: PixelSize { orientation.upright(storedSize) }

    /// Reads the header of a file, in microseconds regardless of the image's size.
    ///
    /// - Throws: ``CodecError`` if the format is not supported or the header is invalid or truncated.
    package static func read(_ bytes: [UInt8]) throws(CodecError) -> ImageHeader {
        guard let format = InputFormat.sniff(bytes) else {
            throw .unsupportedFormat(named: ForeignFormat.sniff(bytes))
        }
        return try format.codec.readHeader(bytes)
    }

    /// The peak memory of decoding in bytes, including the result.
    package func decodedBytes(atScale scale: DecodeScale) -> Int { costs[min(scale.eighths, costs.count) - 1] }

    /// Width and height of the upright image decoded at `scale`; formats other than JPEG always have their full
    /// size.
    package func size(atScale scale: DecodeScale) -> PixelSize {
        guard format == .jpeg else { return size }
        return PixelSize(width: scale.scaled(size.width), height: scale.scaled(size.height))
    }
}
