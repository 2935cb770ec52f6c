package import Geometry
import Glibc

/// The position of one image on another, in pixels of the image below.
package struct OverlayPlace: Hashable, Sendable {
    /// The centre of the drawn image.
    package var centre: PixelPoint
    /// The width and height of the drawn image before its rotation.
    package var width: Double
    package var height: Double
    /// The rotation of the drawn image in degrees clockwise.
    package var roll: Double

    /// Creates a position for an image of any size, which is scaled to fit.
    ///
    /// It may lie outside the image below.
    ///
    /// - Parameters:
    ///   - centre: In pixels of the image below.
    ///   - width: Pixels of the image below, before the rotation.
    ///   - height: Pixels of the image below, before the rotation.
    ///   - roll: Degrees clockwise.
    package init(centre: PixelPoint, width: Double, height: Double, roll: Double) {
        self.centre = centre
        self.width = width
        self.height = height
        self.roll = roll
    }

    /// The smallest rectangle around the rotated image, inside an image of `size`; empty if it lies outside.
    func bounds(in size: PixelSize) -> PixelRect {
        let (cosine, sine) = (abs(cos(roll * .pi / 180)), abs(sin(roll * .pi / 180)))
        let across = (width * cosine + height * sine) / 2 + 1
        let down = (width * sine + height * cosine) / 2 + 1
        func bounded(_ value: Double, _ maximum: Int) -> Int {
            value.isFinite ? Int(min(max(value, 0), Double(maximum))) : 0
        }
        let left = bounded((centre.x - across).rounded(.down), size.width)
        let top = bounded((centre.y - down).rounded(.down), size.height)
        return PixelRect(
            x: left,
            y: top,
            width: bounded((centre.x + across).rounded(.up), size.width) - left,
            height: bounded((centre.y + down).rounded(.up), size.height) - top
        ).intersection(PixelRect(size))
    }
}
