import Geometry

extension FractionalRect {
    /// The rectangle at a distance from this one.
    func moved(x right: Double, y down: Double) -> FractionalRect {
        FractionalRect(x: x + right, y: y + down, width: width, height: height)
    }

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
    func mixed(with other: FractionalRect, share: Double) -> FractionalRect {
        func mix(_ one: Double, _ two: Double) -> Double { one + share * (two - one) }
        return FractionalRect(
            x: mix(x, other.x),
            y: mix(y, other.y),
            width: mix(width, other.width),
            height: mix(height, other.height)
        )
    }

    /// The two edges along an axis.
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
