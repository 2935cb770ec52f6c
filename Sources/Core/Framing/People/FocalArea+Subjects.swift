package import Geometry
import TotalFunctions

extension FocalArea {
    /// Returns the focal area, which must be an area to keep, as a subject for ``Framer``.
    ///
    /// The subject is the part of the focal area inside `area`, or the pixel of `area` closest to it.
    ///
    /// - Parameters:
    ///   - area: The framed part of the image; not empty.
    ///   - size: The size of the upright image.
    /// - Returns: A subject in pixels of `area`.
    package func subject(in area: PixelRect, of size: PixelSize) -> Subject {
        let rect = region.resolved(in: size)
        var shown = rect.intersection(area)
        if shown.area == 0 {
            shown = PixelRect(
                x: min(max(rect.x, area.x), area.maxX - 1),
                y: min(max(rect.y, area.y), area.maxY - 1),
                width: 1,
                height: 1
            )
        }
        shown = shown.moved(x: -area.x, y: -area.y)
        let reliability = max(1, Int(clamping: (weight * Double(Subject.certain)).rounded()))
        return Subject(face: shown, head: shown, reliability: reliability)
    }

    /// Returns the area to avoid, inside `area`; nil for an area to keep, and if no part is inside.
    ///
    /// - Parameters:
    ///   - area: The framed part of the image; not empty.
    ///   - size: The size of the upright image.
    /// - Returns: The rectangle in pixels of `area`.
    package func avoided(in area: PixelRect, of size: PixelSize) -> AvoidedArea? {
        let shown = region.resolved(in: size).intersection(area)
        guard weight < 0, shown.area > 0 else { return nil }
        return AvoidedArea(shown.moved(x: -area.x, y: -area.y), weight: -weight)
    }
}
