import Imaging
import Pipeline

/// What is made unrecognisable in the images of a plan, in JSON.
struct RedactionDocument: Encodable {
    /// The value of `redact`.
    var style: String
    /// The numbers of the plan's faces that are redacted; images have masks over weaker detections too.
    var faces: [Int]

    /// The covered detections, whose confidence may be below that of faces; absent in answers with images.
    var covered: [Head]?
    /// Faces that are found in the redacted picture; absent in answers with images.
    var remaining: [Head]?

    struct Head: Encodable {
        var box: PlanDocument.Rect
        var confidence: Double

        fileprivate init(_ head: RedactionAudit.Head) {
            box = PlanDocument.Rect(head.box)
            confidence = (head.confidence * 10_000).rounded() / 10_000
        }
    }

    init(_ redaction: Redaction, faces count: Int, audit: RedactionAudit?) {
        style = redaction.style.rawValue
        faces = count == 0 ? [] : (1...count).filter(redaction.includes)
        covered = audit?.covered.map(Head.init)
        remaining = audit?.remaining.map(Head.init)
    }
}
