public import Framing

/// An upright grey picture as a detector sees it: 8 bits a pixel, rows from the top, borrowed from its owner.
///
/// The pixels are valid only during the call that the image is passed to; a detector that needs them longer copies them.
public struct LumaImage {
    /// The top left pixel; 0 is black.
    public let pixels: UnsafePointer<UInt8>
    /// Width and height in pixels.
    public let size: PixelSize
    /// Bytes from one row to the next, at least `size.width`.
    public let bytesPerRow: Int

    /// A view of rows of `size.width` bytes that lie `bytesPerRow` bytes apart.
    public init(pixels: UnsafePointer<UInt8>, size: PixelSize, bytesPerRow: Int) {
        self.pixels = pixels
        self.size = size
        self.bytesPerRow = bytesPerRow
    }
}
