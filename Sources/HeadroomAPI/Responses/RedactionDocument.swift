import Imaging
import Pipeline

/// What is made unrecognisable in the images of a plan, in JSON.
struct RedactionDocument: Encodable {
    /// The value of `redact`.
    var style: String
    /// The numbers of the plan's faces that are redacted; images have masks over weaker detections too.
    var faces: [Int]

    init(_ redaction: Redaction, faces count: Int) {
        style = redaction.style.rawValue
        faces = count == 0 ? [] : (1...count).filter(redaction.includes)
    }
}
