/// How a detector's box is grown into the box of what a crop must keep, as shares of the detector's box.
///
/// Detectors draw a face from brow to chin and from temple to temple. The hair, the ears and the crown that a crop must
/// not cut lie outside of it.
package struct HeadGrowth: Hashable, Sendable {
    /// Room above, as a share of the box's height.
    package var above: Double
    /// Room below, as a share of the box's height.
    package var below: Double
    /// Room to the left, as a share of the box's width; negative where the box reaches over the head.
    package var left: Double
    /// Room to the right, as a share of the box's width; negative where the box reaches over the head.
    package var right: Double

    /// Growth by the given shares.
    package init(above: Double, below: Double, left: Double, right: Double) {
        self.above = above
        self.below = below
        self.left = left
        self.right = right
    }

    /// The box grown and clipped to the image; both in pixels of the upright image.
    package func grown(_ box: PixelRect, in size: PixelSize) -> PixelRect {
        grown(
            x: Double(box.x),
            y: Double(box.y),
            width: Double(box.width),
            height: Double(box.height),
            in: size
        )
    }

    /// The square of the given middle and side, grown and clipped to the image; all in pixels of the upright image.
    package func grown(centreX: Double, centreY: Double, side: Double, in size: PixelSize) -> PixelRect {
        grown(x: centreX - side / 2, y: centreY - side / 2, width: side, height: side, in: size)
    }

    private func grown(x: Double, y: Double, width: Double, height: Double, in size: PixelSize) -> PixelRect {
        let left = Int((x - left * width).rounded())
        let top = Int((y - above * height).rounded())
        return PixelRect(
            x: left,
            y: top,
            width: Int((x + width + right * width).rounded()) - left,
            height: Int((y + height + below * height).rounded()) - top
        ).intersection(PixelRect(size))
    }
}
