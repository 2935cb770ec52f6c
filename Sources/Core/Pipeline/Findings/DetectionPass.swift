package import Geometry

/// One pass of the detector over the image.
package struct DetectionPass: Codable, Sendable {
    /// The size of the detector's input before the rotation, in pixels.
    package var workingSize: PixelSize
    /// The rotation of the image, in degrees clockwise.
    package var turn: Int
    /// The side of the smallest detectable face, in pixels of the source.
    package var smallestFace: Double
    /// The number of faces above the threshold, including faces that an earlier pass also found.
    package var found: Int
    /// The duration of the pass.
    package var duration: Duration
}
