import Framing
import Geometry
import Pipeline

/// The heads of a picture and the crops that cut them.
struct CheckedPicture: Sendable {
    /// The crop for one of the requested shapes.
    struct Crop: Sendable {
        var aspect: String
        var rect: PixelRect
        var decision: String
        /// The faces whose heads are cut, counted from 1.
        var cut: [Int]
    }

    /// The confidence below which a face is reported as uncertain; scores of dlib's faces range from 0 to about 3.
    static let leastConfidence = 0.3

    var file: String
    var size: PixelSize
    var faces: [Face]
    var crops: [Crop]
    /// The picture and its crops as small JPEG files; empty without a contact sheet.
    var images: [[UInt8]]

    /// Reads a result, whose first crop is the whole picture if there are images.
    init(_ file: String, _ result: FrameResult) {
        self.file = file
        size = result.plan.source.size
        faces = result.plan.faces
        images = result.images.map(\.bytes)
        let heads = faces.map(\.head)
        crops = result.plan.crops.dropFirst(images.isEmpty ? 0 : 1).map { crop in
            Crop(
                aspect: crop.aspect?.text ?? "\(crop.rect.width):\(crop.rect.height)",
                rect: crop.rect,
                decision: crop.decision.description,
                cut: heads.indices.filter { !crop.rect.contains(heads[$0]) }.map { $0 + 1 }
            )
        }
    }

    /// The faces below ``leastConfidence``, counted from 1.
    var uncertain: [Int] { faces.indices.filter { faces[$0].confidence < Self.leastConfidence }.map { $0 + 1 } }
}
