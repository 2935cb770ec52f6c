import Framing
import Geometry

extension PlanDocument {
    /// What a crop means for one face.
    struct FaceOutcome: Encodable {
        /// Its place in the list of faces, 1 for the first.
        var face: Int
        /// `kept`, `cut` or `ignored`.
        var outcome: String
        /// Why, if it is not kept.
        var reason: String?
        /// The share of the head inside the crop; 1 only for all of it.
        var visible: Double

        init(_ number: Int, _ outcome: Outcome, head: PixelRect, in crop: PixelRect) {
            face = number
            let share = Double(head.intersection(crop).area) / Double(max(1, head.area))
            visible = (share * 1000).rounded(.down) / 1000
            switch outcome {
            case .kept:
                self.outcome = "kept"
            case .cut(let reason):
                self.outcome = "cut"
                self.reason = reason.rawValue
            case .ignored:
                self.outcome = "ignored"
                reason = "gravity"
            }
        }
    }

    /// Room without faces, for who lays text over the result.
    struct FaceFree: Encodable {
        /// In pixels of the result.
        var x: Int
        var y: Int
        var width: Int
        var height: Int
        /// The CSS `inset` that puts an absolutely positioned element there, whatever the size at which the result is
        /// shown.
        var inset: String

        /// What is left of an area of the crop where the crop is scaled to `place` in a result; nil when that is not a
        /// whole pixel.
        init?(_ area: PixelRect, of crop: PixelRect, at place: PixelRect, in result: PixelSize) {
            // Inwards, so that no pixel of a head is touched.
            func first(_ start: Int, _ side: Int, _ length: Int) -> Int { (start * length + side - 1) / side }
            func last(_ end: Int, _ side: Int, _ length: Int) -> Int { end * length / side }
            let left = first(area.x - crop.x, crop.width, place.width)
            let top = first(area.y - crop.y, crop.height, place.height)
            x = place.x + left
            y = place.y + top
            width = last(area.maxX - crop.x, crop.width, place.width) - left
            height = last(area.maxY - crop.y, crop.height, place.height) - top
            guard width > 0, height > 0 else { return nil }
            // In shares of the crop, which are finer than the result's pixels, and of the bars beside it.
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
