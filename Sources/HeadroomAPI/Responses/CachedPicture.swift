import BinaryCoding
import Caching
import Framing
import Imaging
import Pipeline

/// An encoded picture with the data of its header fields.
struct CachedPicture: Sendable {
    /// The data of the header fields.
    private struct Head: Codable {
        var format: ImageFormat
        var decision: Decision?
        var faces: Int?
        var quality: Int?
    }

    let format: ImageFormat
    let bytes: [UInt8]
    /// The decision of the crop; nil for a whole picture.
    let decision: Decision?
    /// The number of faces; nil without detection.
    let faces: Int?
    /// The quality that was found for a limit of bytes.
    let quality: Int?

    /// The picture of a result; nil when the result has none or several.
    init?(_ result: FrameResult, route: Route) {
        guard let image = result.image else { return nil }
        format = image.format
        bytes = image.bytes
        decision = route == .faces ? nil : result.plan.crops.first?.decision
        faces = result.plan.detector == nil ? nil : result.plan.faces.count
        quality = image.quality
    }

    /// Memory of the picture, in bytes.
    var cost: Int { bytes.count + 128 }

    /// The record of the picture in a shared store; nil when encoding fails.
    var record: SharedRecord? {
        let head = Head(format: format, decision: decision, faces: faces, quality: quality)
        return (try? BinaryCoder.bytes(of: head)).map { SharedRecord(head: $0, body: bytes) }
    }

    /// Validates the record of a picture; records are untrusted.
    init?(_ record: SharedRecord) {
        guard let head = try? BinaryCoder.value(Head.self, from: record.head),
            ImageFormat.sniff(record.body) == head.format, head.faces.map({ $0 >= 0 }) ?? true,
            head.quality.map({ (1...100).contains($0) }) ?? true
        else { return nil }
        format = head.format
        bytes = record.body
        decision = head.decision
        faces = head.faces
        quality = head.quality
    }
}
