/// A rectangle in fractions of pixels: pixel 0 spans 0 to 1, origin at the top left, y down.
package struct FractionalRect: Hashable, Codable, Sendable {
    /// The left and the top edge.
    package var x, y: Double
    /// The width and the height, in pixels.
    package var width, height: Double

    /// Creates the rectangle with the top left corner (`x`, `y`), in pixels with fractions; nothing is checked.
    package init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// Creates the rectangle that covers whole pixels.
    package init(_ rect: PixelRect) {
        self.init(x: Double(rect.x), y: Double(rect.y), width: Double(rect.width), height: Double(rect.height))
    }

    /// Returns the rectangle moved into an image, and reduced if it does not fit.
    package func clamped(to size: PixelSize) -> FractionalRect {
        let (width, height) = (min(width, Double(size.width)), min(height, Double(size.height)))
        return FractionalRect(
            x: min(max(x, 0), Double(size.width) - width),
            y: min(max(y, 0), Double(size.height) - height),
            width: width,
            height: height
        )
    }
}
