import Geometry

/// A person in a video who stays visible, identified by a point in the head at a given time.
///
/// The point is in fractions of the frame's sides.
package struct VisiblePerson: Hashable, Sendable {
    let x: Double
    let y: Double
    /// Seconds from the first frame.
    let seconds: Double

    /// A person at a point and a time; nil if the point is outside the frame, or the time is not from 0 to 1,000,000.
    package init?(x: Double, y: Double, seconds: Double) {
        guard (0...1).contains(x), (0...1).contains(y), (0...1e6).contains(seconds) else { return nil }
        (self.x, self.y, self.seconds) = (x, y, seconds)
    }

    /// The person in frames of a size.
    func exception(in size: PixelSize) -> MovingMasks.Exception {
        let point = PixelPoint(x: x * Double(size.width), y: y * Double(size.height))
        return MovingMasks.Exception(seconds: seconds, point: point)
    }
}
