import FramePipeline
import ImageCodec
import SharedCache

/// A finished picture, and what its headers tell of it.
struct KeptPicture: Sendable {
    /// What goes beside the bytes.
    private struct Head: Codable {
        var format: ImageFormat
        var decision: String?
        var faces: Int?
    }

    let format: ImageFormat
    let bytes: [UInt8]
    /// What decided the crop; nil for a picture that shows the whole.
    let decision: String?
    /// How many faces were found; nil when none were looked for.
    let faces: Int?

    /// The picture of a result; nil when that has none, or one for each face.
    init?(_ result: FrameResult, route: Route) {
        guard let image = result.image else { return nil }
        format = image.format
        bytes = image.bytes
        decision = route == .faces ? nil : result.plan.crops.first?.decision
        faces = result.plan.detector == nil ? nil : result.plan.faces.count
    }

    /// What it takes in memory.
    var cost: Int { bytes.count + 128 }

    /// The record of the picture in a shared store; nil when it cannot be told.
    var record: SharedRecord? {
        let head = Head(format: format, decision: decision, faces: faces)
        return (try? WorkerWire.bytes(of: head)).map { SharedRecord(head: $0, body: bytes) }
    }

    /// The picture of a record, which may be anybody's: it is of the type that it says, and its words fit into a header.
    init?(_ record: SharedRecord) {
        guard let head = try? WorkerWire.value(Head.self, from: record.head),
            ImageFormat.sniff(record.body) == head.format, head.faces.map({ $0 >= 0 }) ?? true,
            head.decision.map({ $0.utf8.count <= 100 && $0.utf8.allSatisfy { (0x20..<0x7F).contains($0) } }) ?? true
        else { return nil }
        format = head.format
        bytes = record.body
        decision = head.decision
        faces = head.faces
    }
}
