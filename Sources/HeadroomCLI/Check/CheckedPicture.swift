import FramePipeline
import Framing

/// A picture with what its crops do to the heads in it.
struct CheckedPicture: Sendable {
    /// One of the asked shapes.
    struct Crop: Sendable {
        var aspect: String
        var rect: PixelRect
        var decision: String
        /// The faces whose heads are not whole, counted from 1.
        var cut: [Int]
    }

    /// From which confidence on a detector is taken at its word; scores of dlib's faces run from 0 to about 3.
    static let leastConfidence = 0.3

    var file: String
    var size: PixelSize
    var faces: [FramePlan.Face]
    var crops: [Crop]
    /// The picture and its crops as small JPEG files; none when no sheet is made.
    var images: [[UInt8]]

    /// Reads a result, whose first crop is the whole picture when there are images.
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
                decision: crop.decision,
                cut: heads.indices.filter { !crop.rect.contains(heads[$0]) }.map { $0 + 1 }
            )
        }
    }

    /// The faces of which the detector is not sure, counted from 1.
    var uncertain: [Int] { faces.indices.filter { faces[$0].confidence < Self.leastConfidence }.map { $0 + 1 } }
}
