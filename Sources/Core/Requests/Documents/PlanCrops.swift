import Encodings
import Framing
import Geometry
import Imaging
import Pipeline

extension PlanDocument {
    /// The outcome of a crop for one face.
    struct FaceOutcome: Encodable {
        /// The number of the face in the list of faces, from 1.
        var face: Int
        /// `kept`, `cut` or `ignored`.
        var outcome: String
        /// The reason why the face is not kept; absent if it is kept.
        var reason: String?
        /// The fraction of the head inside the crop, rounded down; 1 only if the whole head is inside.
        var visible: Double

        init(_ number: Int, _ outcome: Outcome, head: PixelRect, in crop: PixelRect) {
            face = number
            let share = Double(head.intersection(crop).area) / Double(max(1, head.area))
            visible = (share * 1000).rounded(.down) / 1000
            switch outcome {
            case .kept: self.outcome = "kept"
            case .cut(let reason):
                self.outcome = "cut"
                self.reason = reason.rawValue
            case .ignored:
                self.outcome = "ignored"
                reason = "gravity"
            }
        }
    }

    /// The placeholder that a page shows until a crop is loaded.
    struct PlaceholderDocument: Encodable {
        /// The bytes of a ThumbHash, in Base64.
        var thumbhash: String?
        var blurhash: String?
        /// The crop's dominant colour as a CSS value; absent for a fully transparent crop.
        var color: String?

        init(_ placeholder: Placeholder) {
            switch placeholder.kind {
            case .thumbhash: thumbhash = Base64.text(placeholder.hash, isStandard: true)
            case .blurhash: blurhash = String(decoding: placeholder.hash, as: UTF8.self)
            }
            color = placeholder.color.map { "#\($0.digits)" }
        }
    }

    /// The watermark of an output.
    struct WatermarkDocument: Encodable {
        /// The requested position, or the corner where the watermark was moved.
        var position: String
        /// The rectangle, in pixels of the output.
        var rect: PixelRect
        /// True if the watermark covers a part of a head because every corner contains heads; otherwise absent.
        var coversHead: Bool?

        init(_ mark: PlacedWatermark) {
            position = mark.place.rawValue
            rect = mark.rect
            coversHead = mark.coversHead ? true : nil
        }
    }

    /// The watermark as the deprecated member `mark`.
    struct MarkDocument: Encodable {
        /// The same position as in ``WatermarkDocument``.
        var place: String
        var rect: PixelRect
        var coversHead: Bool?

        init(_ watermark: WatermarkDocument) {
            (place, rect, coversHead) = (watermark.position, watermark.rect, watermark.coversHead)
        }
    }

    /// A sticker that some faces do not get.
    struct OmittedDocument: Encodable {
        /// The name of the sticker in `overlay`.
        var overlay: String
        /// The numbers of the faces in the list of faces, from 1.
        var faces: [Int]
        /// The reason: the landmarks of these faces are uncertain.
        var reason = "landmarks"

        init(_ sticker: FramePlan.OmittedSticker) { (overlay, faces) = (sticker.name, sticker.faces) }
    }

    /// An area of the output that does not contain faces, for text on the image.
    struct FaceFree: Encodable {
        /// The rectangle, in pixels of the output.
        var x: Int
        var y: Int
        var width: Int
        var height: Int
        /// The CSS `inset`, in percent, of an absolutely positioned element over this area.
        ///
        /// It is valid for every display size.
        var inset: String

        /// Scales an area of the crop to the rotated output; nil if less than one pixel is left.
        init?(_ area: PixelRect, of framed: FramePlan.Crop, in plan: FramePlan) {
            let (turn, source) = (plan.turn, plan.source.size)
            let (area, crop) = (turn.upright(area, in: source), turn.upright(framed.rect, in: source))
            // The crop fills the rectangle `place` of the output.
            let (place, result) = (turn.upright(framed.image, in: framed.output), turn.upright(framed.output))
            // Rounded inwards, so that the area does not contain a pixel of a head.
            func first(_ start: Int, _ side: Int, _ length: Int) -> Int { (start * length + side - 1) / side }
            func last(_ end: Int, _ side: Int, _ length: Int) -> Int { end * length / side }
            let left = first(area.x - crop.x, crop.width, place.width)
            let top = first(area.y - crop.y, crop.height, place.height)
            x = place.x + left
            y = place.y + top
            width = last(area.maxX - crop.x, crop.width, place.width) - left
            height = last(area.maxY - crop.y, crop.height, place.height) - top
            guard width > 0, height > 0 else { return nil }
            // Percentages are computed from the crop, because output pixels are less precise. They include the bars.
            func share(_ before: Int, _ distance: Int, _ side: Int, _ length: Int, _ whole: Int) -> Double {
                let share = Double(before) + Double(distance * length) / Double(side)
                return (share / Double(whole) * 10_000).rounded(.up) / 100
            }
            let (right, bottom) = (result.width - place.maxX, result.height - place.maxY)
            let sides = [
                share(place.y, area.y - crop.y, crop.height, place.height, result.height),
                share(right, crop.maxX - area.maxX, crop.width, place.width, result.width),
                share(bottom, crop.maxY - area.maxY, crop.height, place.height, result.height),
                share(place.x, area.x - crop.x, crop.width, place.width, result.width),
            ]
            inset = sides.map(PlanDocument.percent).joined(separator: " ")
        }
    }
}
