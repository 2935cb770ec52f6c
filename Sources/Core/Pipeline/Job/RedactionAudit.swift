package import Geometry

/// The detections that a redaction covers, and the faces that are still found afterwards.
package struct RedactionAudit: Codable, Sendable {
    /// A detection in pixels of the upright source.
    package struct Head: Codable, Sendable {
        /// The detector's box, clipped to the image.
        package var box: PixelRect
        /// The detector's raw score; faces have a score of 0 or more.
        package var confidence: Double
    }

    /// The covered detections, reduced to the one with the highest score for each head.
    ///
    /// Areas that the caller names are not included.
    package var covered: [Head]
    /// Faces that the search for redaction finds in the redacted image, except faces that the caller leaves visible.
    package var remaining: [Head]

    init(covered: [RedactedHead], remaining: [RedactedHead], in size: PixelSize) {
        func clipped(_ heads: [RedactedHead]) -> [Head] {
            heads.map { Head(box: $0.box.intersection(PixelRect(size)), confidence: $0.confidence) }
                .filter { $0.box.area > 0 }
        }
        self.covered = clipped(covered)
        self.remaining = clipped(remaining)
    }
}
