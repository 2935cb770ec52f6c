import Glibc

package import Geometry

/// A turn of a picture about a point.
package struct PictureTurn: Hashable, Sendable {
    /// The point in pixels of the picture.
    package var centre: PixelPoint
    /// The same point in pixels of the result.
    package var place: PixelPoint
    /// How far the content of the picture leans, in degrees clockwise; the result is upright.
    package var roll: Double
    /// Pixels of the result for each pixel of the picture, greater than 0.
    ///
    /// There is no filter, so it should be at least 1.
    package var scale = 1.0

    /// A turn that moves `centre` to `place`, and makes upright what leans by `roll`.
    package init(centre: PixelPoint, place: PixelPoint, roll: Double, scale: Double = 1) {
        self.centre = centre
        self.place = place
        self.roll = roll
        self.scale = scale
    }

    /// The positions in the picture of the pixels of a row of the result: that of the first, and the step to the next.
    func row(_ y: Int) -> (x: Double, y: Double, stepX: Double, stepY: Double) {
        let angle = roll * .pi / 180
        let (cosine, sine) = (cos(angle) / scale, sin(angle) / scale)
        let (across, down) = (0.5 - place.x, Double(y) + 0.5 - place.y)
        return (
            centre.x + across * cosine - down * sine,
            centre.y + across * sine + down * cosine,
            cosine,
            sine
        )
    }
}
