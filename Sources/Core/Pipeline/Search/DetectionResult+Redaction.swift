import Geometry
import Imaging

extension DetectionResult {
    /// The box and the mask of every detection to redact; for a detection that counts as a face, this is the face's
    /// box.
    var redactable: [RedactedHead] {
        let whole = PixelRect(size)
        return faces.map {
            RedactedHead(box: $0.box.intersection(whole), mask: RedactionMask($0), confidence: $0.confidence)
        }
            + ignored.filter { $0.reason != .duplicate && $0.confidence >= SearchTask.minRedacted }
            .map { RedactedHead(box: $0.box, mask: RedactionMask($0, in: size), confidence: $0.confidence) }
    }
}
