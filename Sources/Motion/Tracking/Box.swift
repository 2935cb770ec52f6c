package import Geometry

/// A rectangle in fractions of pixels: origin at the top left, y down.
package struct Box: Hashable, Sendable {
    /// The left edge.
    package var x: Double
    /// The top edge.
    package var y: Double
    /// Pixels across.
    package var width: Double
    /// Pixels down.
    package var height: Double

    /// A rectangle whose top left corner is (`x`, `y`).
    package init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// A rectangle of whole pixels.
    package init(_ rect: PixelRect) {
        self.init(x: Double(rect.x), y: Double(rect.y), width: Double(rect.width), height: Double(rect.height))
    }

    /// The rectangle at a distance from this one.
    func moved(x right: Double, y down: Double) -> Box { Box(x: x + right, y: y + down, width: width, height: height) }

    /// The rectangle with all edges at the nearest pixel.
    var rounded: PixelRect {
        let (left, top) = (Int(x.rounded()), Int(y.rounded()))
        return PixelRect(
            x: left,
            y: top,
            width: Int((x + width).rounded()) - left,
            height: Int((y + height).rounded()) - top
        )
    }

    /// The rectangle at a share of the way to another one.
    func mixed(with other: Box, share: Double) -> Box {
        func mix(_ one: Double, _ two: Double) -> Double { one + share * (two - one) }
        return Box(
            x: mix(x, other.x),
            y: mix(y, other.y),
            width: mix(width, other.width),
            height: mix(height, other.height)
        )
    }

    /// The middle and the extent along an axis.
    func span(_ axis: Axis) -> (start: Double, end: Double) {
        axis == .across ? (x, x + width) : (y, y + height)
    }
}

/// A direction along which a crop moves.
package enum Axis: CaseIterable, Sendable {
    /// From left to right.
    case across
    /// From top to bottom.
    case down
}
