package import Geometry
import TotalFunctions

/// The growth of a detector's box to the head that a crop must keep, as shares of the detector's box.
///
/// Detectors mark a face from brow to chin and from temple to temple, without hair, ears and crown.
package struct HeadGrowth: Hashable, Sendable {
    /// Room above, as a share of the box's height.
    package var above: Double
    /// Room below, as a share of the box's height.
    package var below: Double
    /// Room to the left, as a share of the box's width; negative if the box is wider than the head.
    package var left: Double
    /// Room to the right, as a share of the box's width; negative if the box is wider than the head.
    package var right: Double

    /// Growth by shares of the detector's box, negative on sides where the box is larger than the head.
    ///
    /// - Parameters:
    ///   - above: A share of the box's height.
    ///   - below: A share of the box's height.
    ///   - left: A share of the box's width.
    ///   - right: A share of the box's width.
    package init(above: Double, below: Double, left: Double, right: Double) {
        self.above = above
        self.below = below
        self.left = left
        self.right = right
    }

    /// The box grown and clipped to the image; both in pixels of the upright image.
    package func grown(_ box: PixelRect, in size: PixelSize) -> PixelRect {
        grown(x: Double(box.x), y: Double(box.y), width: Double(box.width), height: Double(box.height), in: size)
    }

    /// The square with the given centre and side, grown and clipped to the image; all in pixels of the upright image.
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
