package import Geometry
package import Imaging

/// An encoded image and its format.
package struct EncodedImage: Codable, Sendable {
    /// The format of the file.
    package var format: OutputFormat
    /// The file's bytes.
    package var bytes: [UInt8]
    /// The size of the image in pixels.
    package var size: PixelSize
    /// The quality that fits the byte limit; nil without a limit and for lossless formats.
    package var quality: Int?

    init(format: OutputFormat, file: (bytes: [UInt8], quality: Int?), size: PixelSize) {
        self.format = format
        self.bytes = file.bytes
        self.size = size
        self.quality = file.quality
    }
}
