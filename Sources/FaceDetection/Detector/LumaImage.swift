public import Geometry

/// An upright grey image for a detector: 8 bits per pixel, rows from the top, borrowed from its owner.
///
/// The pixels are valid only during the call that receives the image; a detector that needs them longer must copy
/// them.
public struct LumaImage {
    /// The top left pixel; 0 is black.
    public let pixels: UnsafePointer<UInt8>
    /// Width and height in pixels.
    public let size: PixelSize
    /// The distance between rows in bytes, at least `size.width`.
    public let bytesPerRow: Int

    /// A view of rows of `size.width` bytes at intervals of `bytesPerRow` bytes.
    public init(pixels: UnsafePointer<UInt8>, size: PixelSize, bytesPerRow: Int) {
        self.pixels = pixels
        self.size = size
        self.bytesPerRow = bytesPerRow
    }
}
