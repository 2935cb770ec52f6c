import Geometry
import Imaging
import Pipeline

extension RedactedHead {
    /// The maximum number of heads in a frame; the heads with the highest scores are kept.
    private static let maxHeads = 256

    /// Whether the head is redacted even if no other frame has a track for it.
    var isSure: Bool { confidence >= SearchTask.minRedacted }

    /// The heads of a frame, each with the masks of all detections that belong to it.
    static func joined(_ faces: [Face]) -> [RedactedHead] {
        var heads: [RedactedHead] = []
        for face in faces.sorted(by: { ($0.confidence, $0.box.area) > ($1.confidence, $1.box.area) }) {
            let head = RedactedHead(face)
            if let same = heads.firstIndex(where: { Duplicates.isSame($0.box, face.box) }) {
                // A weak detection does not extend the mask of a sure head.
                if head.isSure || !heads[same].isSure, heads[same].mask.parts.count < 16 {
                    heads[same].mask.parts += head.mask.parts
                }
            } else if heads.count < maxHeads {
                heads.append(head)
            }
        }
        return heads
    }
}
