package import Geometry
import TotalFunctions

/// Moves a crop away from areas to avoid, by as little as possible.
///
/// The cost of a position is the sum of the weights, each times the share of its area that the crop shows. With the
/// other coordinate fixed it is piecewise linear, and bends only where an edge of the crop meets one of an area. So a
/// position of least cost has both coordinates among these bends, the ends of the allowed range, and the preferred
/// position; and so has the one of them that is nearest to the preferred position, by the sum of both distances. All
/// pairs are tried.
struct AvoidanceSearch {
    let areas: [AvoidedArea]
    /// The size of the image, in pixels.
    let size: PixelSize

    /// Costs that differ by less than half of this are equal, because sums of fractions are rounded.
    private static let grain = 1e-6

    /// The crop at the position of least cost; among equal ones, at the position nearest to its own.
    ///
    /// It keeps the rows and columns of `held` that it contains now.
    func moved(_ placed: PlacedCrop, holding held: PixelRect?) -> PlacedCrop {
        guard !areas.isEmpty else { return placed }
        let crop = placed.crop
        let across = candidates(crop.columns, areas.map(\.rect.columns), holding: held?.columns, of: size.width)
        let down = candidates(crop.rows, areas.map(\.rect.rows), holding: held?.rows, of: size.height)
        var best = (cost: Int.max, distance: Int.max, crop: crop)
        for y in down {
            for x in across {
                let other = PixelRect(x: x, y: y, width: crop.width, height: crop.height)
                let distance = abs(x - crop.x) + abs(y - crop.y)
                let cost = cost(of: other)
                if (cost, distance) < (best.cost, best.distance) { best = (cost, distance, other) }
            }
        }
        // A crop that stays where it is also keeps its position before clamping.
        var unclamped = placed.unclamped
        if best.crop.x != crop.x { unclamped.x = best.crop.x }
        if best.crop.y != crop.y { unclamped.y = best.crop.y }
        return PlacedCrop(best.crop, unclamped: unclamped)
    }

    /// The cost of a crop, in units of ``grain``.
    private func cost(of crop: PixelRect) -> Int {
        let cost = areas.reduce(0.0) { sum, area in
            sum + area.weight * Double(area.rect.intersection(crop).area) / Double(area.rect.area)
        }
        return Int(clamping: (cost / Self.grain).rounded())
    }

    /// The positions to try along one axis.
    private func candidates(
        _ crop: Range<Int>,
        _ areas: [Range<Int>],
        holding held: Range<Int>?,
        of length: Int
    ) -> [Int] {
        var allowed = 0...(length - crop.count)
        if let held {
            guard crop.holds(held) else { return [crop.lowerBound] }
            allowed = max(0, held.upperBound - crop.count)...min(length - crop.count, held.lowerBound)
        }
        var starts: Set<Int> = [crop.lowerBound, allowed.lowerBound, allowed.upperBound]
        for area in areas {
            for start in [
                area.lowerBound, area.upperBound, area.lowerBound - crop.count, area.upperBound - crop.count,
            ] {
                starts.insert(min(max(start, allowed.lowerBound), allowed.upperBound))
            }
        }
        return starts.sorted()
    }
}

/// A rectangle that crops avoid as far as people allow it, such as a logo or text.
package struct AvoidedArea: Hashable, Sendable {
    /// The rectangle, in pixels of the image; not empty.
    package var rect: PixelRect
    /// The cost of showing all of it, relative to other areas; above 0.
    package var weight: Double

    /// An area with a cost.
    ///
    /// - Parameters:
    ///   - rect: In pixels of the image that is framed; not empty.
    ///   - weight: The cost of showing all of it, relative to other areas; above 0.
    package init(_ rect: PixelRect, weight: Double) {
        self.rect = rect
        self.weight = weight
    }
}

extension FocalArea {
    /// The area to avoid: the part of the rectangle inside `area`; nil for an area to keep, and if no part is inside.
    ///
    /// - Parameters:
    ///   - area: The part of the image that is framed; not empty.
    ///   - size: The size of the upright image.
    /// - Returns: The rectangle in pixels of `area`.
    package func avoided(in area: PixelRect, of size: PixelSize) -> AvoidedArea? {
        let shown = region.resolved(in: size).intersection(area)
        guard weight < 0, shown.area > 0 else { return nil }
        return AvoidedArea(shown.moved(x: -area.x, y: -area.y), weight: -weight)
    }
}
