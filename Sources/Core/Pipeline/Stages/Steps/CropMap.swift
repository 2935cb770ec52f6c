import FaceDetection
import Framing
import Geometry
import Imaging

/// The mapping from pixels of the upright source to pixels of a result, before the caller's rotation.
struct CropMap {
    private let crop: FramePlan.Crop

    init(_ crop: FramePlan.Crop) { self.crop = crop }

    /// Converts a place in the source to a place in the result.
    func placed(_ place: OverlayPlace) -> OverlayPlace {
        var placed = place
        placed.centre = point(place.centre)
        // If the image is stretched, its stickers are only scaled, not stretched.
        let scale = (across * down).squareRoot()
        placed.width *= scale
        placed.height *= scale
        placed.roll -= crop.turned?.roll ?? 0
        return placed
    }

    /// Converts a mask of the source to a mask of the result.
    func placed(_ mask: RedactionMask) -> RedactionMask {
        let scale = (across * down).squareRoot()
        return RedactionMask(
            mask.parts.map { part in
                RedactionMask.Part(
                    // The outline of a mask is 1.19 times as large as its rectangle (``RedactionShape/rounded``); 0.84
                    // reverses this factor.
                    centre: point(part.centre),
                    halfWidth: part.halfWidth * scale * 0.84,
                    halfHeight: part.halfHeight * scale * 0.84,
                    roll: part.roll - (crop.turned?.roll ?? 0)
                )
            }
        )
    }

    /// Returns the smallest rectangle of the result around a rectangle of the source; it may extend beyond the result.
    func bounds(of rect: PixelRect) -> PixelRect {
        let points = [(rect.x, rect.y), (rect.maxX, rect.y), (rect.x, rect.maxY), (rect.maxX, rect.maxY)].map {
            point(PixelPoint(x: Double($0.0), y: Double($0.1)))
        }
        func bounded(_ value: Double?) -> Int { Int(min(max(value ?? 0, -1e8), 1e8)) }
        let (left, top) = (
            bounded(points.map(\.x).min()?.rounded(.down)), bounded(points.map(\.y).min()?.rounded(.down))
        )
        return PixelRect(
            x: left,
            y: top,
            width: bounded(points.map(\.x).max()?.rounded(.up)) - left,
            height: bounded(points.map(\.y).max()?.rounded(.up)) - top
        )
    }

    private var across: Double {
        crop.turned.map { Double(crop.output.width) / $0.width } ?? Double(crop.image.width) / Double(crop.rect.width)
    }

    private var down: Double {
        crop.turned.map { Double(crop.output.height) / $0.height }
            ?? Double(crop.image.height) / Double(crop.rect.height)
    }

    private func point(_ point: PixelPoint) -> PixelPoint {
        guard let turned = crop.turned else {
            return PixelPoint(
                x: (point.x - Double(crop.rect.x)) * across + Double(crop.image.x),
                y: (point.y - Double(crop.rect.y)) * down + Double(crop.image.y)
            )
        }
        let distance = PixelPoint(x: (point.x - turned.centre.x) * across, y: (point.y - turned.centre.y) * down)
        return PixelPoint(x: Double(crop.output.width) / 2, y: Double(crop.output.height) / 2)
            .moved(by: distance, turned: -turned.roll)
    }
}
