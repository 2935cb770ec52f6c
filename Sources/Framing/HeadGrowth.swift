/// How a face's box is grown into the box of the head, as shares of the face box.
///
/// Detectors draw a face from brow to chin and from temple to temple. The hair, the ears and the crown that a crop must
/// not cut lie outside of it.
package struct HeadGrowth: Hashable, Sendable {
    /// Room above, as a share of the box's height.
    package var above: Double
    /// Room below, as a share of the box's height.
    package var below: Double
    /// Room to each side, as a share of the box's width.
    package var sides: Double

    /// Growth by the given shares.
    package init(above: Double, below: Double, sides: Double) {
        self.above = above
        self.below = below
        self.sides = sides
    }

    /// Growth for a box from brow to chin, when nothing more is known of the detector that drew it.
    package static let browToChin = HeadGrowth(above: 0.45, below: 0, sides: 0.15)

    /// The head that belongs to a face, clipped to the image; both in pixels of the upright image.
    package func head(of face: PixelRect, in size: PixelSize) -> PixelRect {
        let height = Double(face.height)
        let side = Int((sides * Double(face.width)).rounded())
        let up = Int((above * height).rounded())
        let down = Int((below * height).rounded())
        return PixelRect(
            x: face.x - side,
            y: face.y - up,
            width: face.width + 2 * side,
            height: face.height + up + down
        ).intersection(PixelRect(size))
    }
}
