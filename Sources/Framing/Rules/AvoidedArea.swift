package import Geometry

/// A rectangle that crops avoid as far as people allow it, such as a logo or text.
package struct AvoidedArea: Hashable, Sendable {
    /// The rectangle, in pixels of the image; not empty.
    package var rect: PixelRect
    /// What showing all of it costs, compared with other areas; above 0.
    package var weight: Double

    /// A rectangle with a weight.
    package init(_ rect: PixelRect, weight: Double) {
        self.rect = rect
        self.weight = weight
    }
}

extension FocalArea {
    /// The area to avoid: the part of the rectangle inside `area`; nil for an area to keep, and if no part is inside.
    ///
    /// - Parameters:
    ///   - area: The part of the picture that is framed; not empty.
    ///   - size: The size of the upright picture.
    /// - Returns: The rectangle in pixels of `area`.
    package func avoided(in area: PixelRect, of size: PixelSize) -> AvoidedArea? {
        let shown = region.resolved(in: size).intersection(area)
        guard weight < 0, shown.area > 0 else { return nil }
        return AvoidedArea(shown.moved(x: -area.x, y: -area.y), weight: -weight)
    }
}
