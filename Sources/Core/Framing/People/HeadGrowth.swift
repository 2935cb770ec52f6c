package import Geometry
import TotalFunctions

/// The margins to add to a detector's box to get the head that a crop must keep, as fractions of the box.
///
/// Detectors mark a face from brow to chin and from temple to temple, without hair, ears and crown.
package struct HeadGrowth: Hashable, Sendable {
    /// The growth at the top, as a fraction of the box's height.
    package var above: Double
    /// The growth at the bottom, as a fraction of the box's height.
    package var below: Double
    /// The growth to the left, as a fraction of the box's width; negative if the box is wider than the head.
    package var left: Double
    /// The growth to the right, as a fraction of the box's width; negative if the box is wider than the head.
    package var right: Double

    /// Creates growth by fractions of the detector's box, negative on sides where the box is larger than the head.
    ///
    /// - Parameters:
    ///   - above: A fraction of the box's height.
    ///   - below: A fraction of the box's height.
    ///   - left: A fraction of the box's width.
    ///   - right: A fraction of the box's width.
    package init(above: Double, below: Double, left: Double, right: Double) {
        self.above = above
        self.below = below
        self.left = left
        self.right = right
    }

    /// Returns the box, grown and clipped to the image; both in pixels of the upright image.
    package func grown(_ box: PixelRect, in size: PixelSize) -> PixelRect {
        grown(x: Double(box.x), y: Double(box.y), width: Double(box.width), height: Double(box.height), in: size)
    }

    /// Returns the square with the given centre and side, grown and clipped to the image.
    ///
    /// All values are in pixels of the upright image.
    package func grown(centreX: Double, centreY: Double, side: Double, in size: PixelSize) -> PixelRect {
        grown(x: centreX - side / 2, y: centreY - side / 2, width: side, height: side, in: size)
    }

    private func grown(x: Double, y: Double, width: Double, height: Double, in size: PixelSize) -> PixelRect {
        let left = Int(clamping: (x - left * width).rounded())
        let top = Int(clamping: (y - above * height).rounded())
        return PixelRect(
            x: left,
            y: top,
            width: Int(clamping: (x + width + right * width).rounded()) - left,
            height: Int(clamping: (y + height + below * height).rounded()) - top
        ).intersection(PixelRect(size))
    }
}
