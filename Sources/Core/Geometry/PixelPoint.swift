/// A position in an image, in pixels: origin at the top left corner of the top left pixel.
package struct PixelPoint: Hashable, Codable, Sendable {
    /// The distances from the left edge and from the top, in pixels.
    package var x, y: Double

    /// Creates the position `x` pixels from the left edge and `y` from the top, with fractions; not clamped to an
    /// image.
    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// Returns the same position in a copy of the image with a different size.
    package func scaled(from size: PixelSize, to other: PixelSize) -> PixelPoint {
        PixelPoint(x: x * Double(other.width) / Double(size.width), y: y * Double(other.height) / Double(size.height))
    }
}
