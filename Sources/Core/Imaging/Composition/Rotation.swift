package import Geometry
import Glibc

/// A rotation of an image about a point.
package struct Rotation: Hashable, Sendable {
    /// The centre of the rotation, in pixels of the image.
    package var centre: PixelPoint
    /// The same point in pixels of the result.
    package var place: PixelPoint
    /// The rotation of the image's content in degrees clockwise; the result is upright.
    package var roll: Double
    /// Pixels of the result for each pixel of the image, greater than 0.
    ///
    /// There is no filter, so it should be at least 1.
    package var scale = 1.0

    /// Creates a rotation about a point that makes the content of an image upright.
    ///
    /// - Parameters:
    ///   - centre: The point, in pixels of the image.
    ///   - place: The same point, in pixels of the result.
    ///   - roll: The rotation of the content in degrees clockwise.
    ///   - scale: Pixels of the result for each pixel of the image; at least 1, because there is no filter.
    package init(centre: PixelPoint, place: PixelPoint, roll: Double, scale: Double = 1) {
        self.centre = centre
        self.place = place
        self.roll = roll
        self.scale = scale
    }

    /// Returns where the pixels of a result row are in the image: the position of the first pixel, and the step to the
    /// next pixel.
    func row(_ y: Int) -> (x: Double, y: Double, stepX: Double, stepY: Double) {
        let angle = roll * .pi / 180
        let (cosine, sine) = (cos(angle) / scale, sin(angle) / scale)
        let (across, down) = (0.5 - place.x, Double(y) + 0.5 - place.y)
        let (x, y) = (centre.x + across * cosine - down * sine, centre.y + across * sine + down * cosine)
        return (x, y, cosine, sine)
    }
}
