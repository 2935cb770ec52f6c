package import Geometry

/// A detection that does not count as a face.
package struct IgnoredFace: Codable, Sendable {
    /// Why it does not count.
    package enum Reason: String, Codable, Sendable, CaseIterable {
        /// The detector is not sure enough.
        case confidence
        /// It is a face that was found before, or better.
        case duplicate
        /// It is smaller than the smallest face that matters.
        case size
    }

    /// The detector's box, clipped to the image.
    package var box: PixelRect
    /// The detector's raw score.
    package var confidence: Double
    /// Why it does not count.
    package var reason: Reason

    init(_ face: Face, _ reason: Reason, in size: PixelSize) {
        box = face.box.intersection(PixelRect(size))
        confidence = face.confidence
        self.reason = reason
    }
}
