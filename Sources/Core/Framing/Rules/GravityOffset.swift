/// The distances of a crop from the edges at which its gravity places it, or from the middle.
///
/// From a right or lower edge they count inwards, else to the right and down.
package struct GravityOffset: Hashable, Codable, Sendable {
    /// A distance along one side.
    package enum Distance: Hashable, Codable, Sendable {
        /// Pixels.
        case pixels(Double)
        /// A share of the picture's side.
        case share(Double)

        /// The distance in pixels, not rounded, along a side that has `ratio` pixels for each pixel of a distance.
        func pixels(of side: Double, ratio: Double) -> Double {
            switch self {
            case .pixels(let pixels): pixels * ratio
            case .share(let share): share * side
            }
        }
    }

    /// The distance along the width.
    package var across: Distance
    /// The distance along the height.
    package var down: Distance

    /// An offset from the edge or the corner that a gravity names; negative distances count the other way.
    ///
    /// - Parameters:
    ///   - across: The distance along the width: inwards from a right edge, else to the right.
    ///   - down: The distance along the height: inwards from a lower edge, else down.
    package init(across: Distance, down: Distance) {
        self.across = across
        self.down = down
    }

    /// The first pixel of an interval in a side, in whole pixels; half pixels are rounded to even ones.
    ///
    /// - Parameters:
    ///   - distance: Counted from the place at `anchor`, inwards if that is the end of the side.
    ///   - side: The length of the side, in pixels.
    ///   - length: The length of the interval, in the same pixels.
    ///   - anchor: The share of the rest of the side that lies before the interval.
    ///   - ratio: Pixels of the side for each pixel of a distance.
    /// - Returns: A start at which the interval lies inside the side, if it fits.
    static func start(_ distance: Distance, side: Double, length: Double, anchor: Double, ratio: Double = 1) -> Double {
        let slack = max(0, side - length)
        let moved = distance.pixels(of: side, ratio: ratio)
        return min(max(0, (slack * anchor + (anchor == 1 ? -moved : moved)).rounded(.toNearestOrEven)), slack)
    }
}
