import Framing
package import Geometry

/// A detection that does not count as a face.
package struct IgnoredFace: Codable, Sendable {
    /// The reason why a detection does not count.
    package enum Reason: String, Codable, Sendable, CaseIterable {
        /// The detector's score is too low.
        case confidence
        /// Another detection of the same face was kept.
        case duplicate
        /// The face is smaller than the smallest face that counts.
        case size
        /// More than half of the face lies outside the framed region.
        case region
    }

    /// The detector's box, clipped to the image.
    package var box: PixelRect
    /// The detector's raw score.
    package var confidence: Double
    /// The reason why the detection does not count.
    package var reason: Reason

    init(_ face: Face, _ reason: Reason, in size: PixelSize) {
        box = face.box.intersection(PixelRect(size))
        confidence = face.confidence
        self.reason = reason
    }
}
