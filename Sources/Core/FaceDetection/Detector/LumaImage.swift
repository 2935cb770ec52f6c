public import Geometry

/// An upright grey image for a detector: 8 bits per pixel, rows from the top, borrowed from its owner.
///
/// The pixels are valid only during the call that receives the image; a detector that needs them longer must copy
/// them.
public struct LumaImage {
    /// The top left pixel; 0 is black.
    package let pixels: UnsafePointer<UInt8>
    /// Width and height in pixels.
    public let size: PixelSize
    /// The distance between rows in bytes, at least `size.width`.
    public let bytesPerRow: Int

    /// Creates a view of rows of `size.width` bytes at intervals of `bytesPerRow` bytes.
    package init(pixels: UnsafePointer<UInt8>, size: PixelSize, bytesPerRow: Int) {
        self.pixels = pixels
        self.size = size
        self.bytesPerRow = bytesPerRow
    }

    /// Calls `body` with the rows one after the other: `(height - 1) * bytesPerRow + width` bytes, 0 is black.
    ///
    /// The span cannot leave the closure. It is empty for an image without pixels.
    public func withPixels<Value, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let isEmpty = size.width <= 0 || size.height <= 0
        let count = isEmpty ? 0 : (size.height - 1) * bytesPerRow + size.width
        return try body(UnsafeBufferPointer(start: pixels, count: count).span)
    }
}
