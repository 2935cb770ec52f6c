package import Framing

/// What a file says of its picture before any pixel is decoded.
package struct ImageHeader: Sendable {
    /// The file format.
    package let format: ImageFormat
    /// Width and height as stored, before the picture is turned upright.
    package let storedSize: PixelSize
    /// How stored pixels are turned upright.
    package let orientation: Orientation
    /// The colour model of the decoded picture at full size; smaller scales may have less subsampling.
    package let colorModel: ColorModel
    /// Whether some pixels may be transparent.
    package let hasAlpha: Bool
    /// Bits of a stored sample, 1 to 16; decoded samples have 8.
    package let bitDepth: Int
    /// Whether the file draws its picture in several passes (progressive JPEG, interlaced PNG).
    package let isProgressive: Bool

    /// Bytes that decoding takes at 1/8 to 8/8 of the size: planes and what the library holds meanwhile.
    let costs: [Int]

    /// How coarsely a JPEG was quantised; nil for others, and where the file does not say so before its pixels.
    package var quantization: JPEGQuantization?
    /// Where a JPEG can be cut without being decoded; nil for others.
    package var losslessCropping: LosslessCropping?

    /// Width and height of the upright picture.
    package var size: PixelSize { orientation.upright(storedSize) }

    /// Reads the header of a file; costs microseconds, whatever the picture's size.
    ///
    /// - Throws: ``CodecError``, when the format is not supported or the header is broken or cut off.
    package static func read(_ bytes: [UInt8]) throws(CodecError) -> ImageHeader {
        switch ImageFormat.sniff(bytes) {
        case .jpeg: try JPEGDecoder.readHeader(bytes)
        case .png: try PNGDecoder.readHeader(bytes)
        case .webp: try WebPDecoder.readHeader(bytes)
        case nil: throw .unsupportedFormat(named: ForeignFormat.sniff(bytes))
        }
    }

    /// The most bytes that are held at once while the picture is decoded, the result included.
    package func decodedBytes(atScale scale: DecodeScale) -> Int { costs[scale.eighths - 1] }

    /// Width and height of the upright picture decoded at `scale`; others always have their full size.
    package func size(atScale scale: DecodeScale) -> PixelSize {
        guard format == .jpeg else { return size }
        return PixelSize(width: scale.scaled(size.width), height: scale.scaled(size.height))
    }
}
