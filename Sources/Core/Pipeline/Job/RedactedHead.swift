package import Geometry
package import Imaging

/// One head to redact, in pixels of the upright source.
package struct RedactedHead: Hashable, Codable, Sendable {
    /// The detector's box.
    package var box: PixelRect
    /// The area of the head.
    package var mask: RedactionMask
    /// The detector's raw score.
    package var confidence: Double

    /// The minimum score of a detection that continues a tracked head of a video.
    ///
    /// A detection with a score of at least ``SearchTask/minRedacted`` is also redacted without a track.
    static let minContinued = -0.9

    /// Creates a head of a detection, in pixels of the upright source.
    ///
    /// - Parameters:
    ///   - box: The detector's box.
    ///   - mask: The area to redact.
    ///   - confidence: The detector's raw score: 0 at its threshold, and below 0 for weak detections.
    package init(box: PixelRect, mask: RedactionMask, confidence: Double) {
        self.box = box
        self.mask = mask
        self.confidence = confidence
    }

    /// Creates the head of a face.
    package init(_ face: Face) { self.init(box: face.box, mask: RedactionMask(face), confidence: face.confidence) }
}
