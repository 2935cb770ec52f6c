package import Geometry

/// One pass of the detector over the image.
package struct DetectionPass: Codable, Sendable {
    /// The size of the image as the detector got it, before the turn.
    package var workingSize: PixelSize
    /// Degrees clockwise that the image was turned by.
    package var turn: Int
    /// The smallest face that could be seen, in pixels of the source.
    package var smallestFace: Double
    /// Faces found, including those of earlier passes.
    package var found: Int
    /// The time it took.
    package var duration: Duration
}
