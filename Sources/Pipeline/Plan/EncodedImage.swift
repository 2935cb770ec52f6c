package import Geometry
package import Imaging

/// An encoded image and its format.
package struct EncodedImage: Codable, Sendable {
    /// The encoding.
    package var format: ImageFormat
    /// The file's bytes.
    package var bytes: [UInt8]
    /// Width and height in pixels.
    package var size: PixelSize
}
