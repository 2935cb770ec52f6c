package import Geometry

extension FractionalRect {
    /// Returns the two edges along an axis.
    package func span(_ axis: Axis) -> (start: Double, end: Double) {
        axis == .across ? (x, x + width) : (y, y + height)
    }
}
