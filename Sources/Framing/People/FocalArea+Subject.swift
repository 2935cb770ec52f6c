package import Geometry

extension FocalArea {
    /// The subject for ``Framer``: the part of the rectangle inside `area`, or the pixel of `area` closest to it.
    ///
    /// - Parameters:
    ///   - area: The part of the picture that is framed; not empty.
    ///   - size: The size of the upright picture.
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
        let reliability = max(1, Int((weight * Double(Subject.certain)).rounded()))
        return Subject(face: shown, head: shown, reliability: reliability)
    }
}
