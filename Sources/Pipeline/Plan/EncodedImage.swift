package import Geometry
package import Imaging

/// An encoded image and its format.
package struct EncodedImage: Codable, Sendable {
    /// The format of the file.
    package var format: ImageFormat
    /// The file's bytes.
    package var bytes: [UInt8]
    /// The size of the image in pixels.
    package var size: PixelSize
}
