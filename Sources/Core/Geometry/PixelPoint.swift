import Glibc

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

    /// Returns the centre between this point and another point.
    package func middle(to other: PixelPoint) -> PixelPoint { PixelPoint(x: (x + other.x) / 2, y: (y + other.y) / 2) }

    /// Returns the distance to another point.
    package func distance(to other: PixelPoint) -> Double {
        ((x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)).squareRoot()
    }

    /// Rotates `distance` by `degrees` clockwise and returns this point plus the rotated distance.
    package func moved(by distance: PixelPoint, turned degrees: Double) -> PixelPoint {
        let angle = degrees * .pi / 180
        let (cosine, sine) = (cos(angle), sin(angle))
        return PixelPoint(
            x: x + distance.x * cosine - distance.y * sine,
            y: y + distance.x * sine + distance.y * cosine
        )
    }
}
