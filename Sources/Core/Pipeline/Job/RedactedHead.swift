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

    /// The lowest score of a detection that continues a tracked head of a video; from ``SearchTask/leastRedacted`` on,
    /// a detection is redacted by itself.
    static let minContinued = -0.9

    /// A head of a detection, in pixels of the upright source.
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

    /// The head of a face.
    package init(_ face: Face) { self.init(box: face.box, mask: RedactionMask(face), confidence: face.confidence) }
}
