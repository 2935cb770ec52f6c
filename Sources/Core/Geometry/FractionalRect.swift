import TotalFunctions

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

    /// Creates the smallest rectangle around other rectangles, at least one.
    package init(around boxes: [FractionalRect]) {
        let left = boxes.map(\.x).min() ?? 0
        let top = boxes.map(\.y).min() ?? 0
        let right = boxes.map { $0.x + $0.width }.max() ?? 0
        let bottom = boxes.map { $0.y + $0.height }.max() ?? 0
        self.init(x: left, y: top, width: right - left, height: bottom - top)
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

    /// Returns this rectangle, moved by a distance in pixels.
    package func moved(x right: Double, y down: Double) -> FractionalRect {
        FractionalRect(x: x + right, y: y + down, width: width, height: height)
    }

    /// The rectangle with every edge rounded to the nearest pixel.
    package var roundedToNearest: PixelRect {
        let (left, top) = (Int(clamping: x.rounded()), Int(clamping: y.rounded()))
        return PixelRect(
            x: left,
            y: top,
            width: Int(clamping: (x + width).rounded()) - left,
            height: Int(clamping: (y + height).rounded()) - top
        )
    }

    /// Returns the rectangle at a fraction of the way to another rectangle: this rectangle at 0, the other at 1.
    package func mixed(with other: FractionalRect, share: Double) -> FractionalRect {
        func mix(_ one: Double, _ two: Double) -> Double { one + share * (two - one) }
        return FractionalRect(
            x: mix(x, other.x),
            y: mix(y, other.y),
            width: mix(width, other.width),
            height: mix(height, other.height)
        )
    }
}
