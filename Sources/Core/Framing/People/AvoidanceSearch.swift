package import Geometry
import TotalFunctions

/// Moves a crop away from areas to avoid, over the shortest possible distance.
///
/// The cost of a position is the sum of the areas' weights, each multiplied by the visible fraction of its area. If one
/// coordinate is fixed, the cost is a piecewise linear function of the other. It bends only where an edge of the crop
/// meets an edge of an area. So both coordinates of a position with minimum cost are among these bends, the ends of the
/// allowed range, and the preferred position. The same applies to the position of minimum cost nearest to the preferred
/// position, by the sum of both distances. All pairs are tried.
struct AvoidanceSearch {
    let areas: [AvoidedArea]
    /// The size of the image, in pixels.
    let size: PixelSize

    /// The unit of costs.
    ///
    /// Costs that differ by less than half a unit count as equal, because sums of fractions are rounded.
    private static let grain = 1e-6

    /// Returns the crop at the position of minimum cost that is nearest to its present position.
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
        // A crop that does not move also keeps its position before clamping.
        var unclamped = placed.unclamped
        if best.crop.x != crop.x { unclamped.x = best.crop.x }
        if best.crop.y != crop.y { unclamped.y = best.crop.y }
        return PlacedCrop(best.crop, unclamped: unclamped)
    }

    /// Returns the cost of a crop, in units of ``grain``.
    private func cost(of crop: PixelRect) -> Int {
        let cost = areas.reduce(0.0) { sum, area in
            sum + area.weight * Double(area.rect.intersection(crop).area) / Double(area.rect.area)
        }
        return Int(clamping: (cost / Self.grain).rounded())
    }

    /// Returns the positions to try along one axis.
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

/// A rectangle that crops avoid unless that would cut people, such as a logo or text.
package struct AvoidedArea: Hashable, Sendable {
    /// The rectangle, in pixels of the image; not empty.
    package var rect: PixelRect
    /// The cost of showing the whole area, relative to other areas; above 0.
    package var weight: Double

    /// Creates an area with a cost.
    ///
    /// - Parameters:
    ///   - rect: In pixels of the framed image; not empty.
    ///   - weight: The cost of showing the whole area, relative to other areas; above 0.
    package init(_ rect: PixelRect, weight: Double) {
        self.rect = rect
        self.weight = weight
    }
}
