/// The distances of a crop from the edges where its gravity places it, or from the centre.
///
/// Distances from a right or lower edge are measured inwards; other distances are measured to the right and down.
package struct GravityOffset: Hashable, Codable, Sendable {
    /// A distance along one side.
    package enum Distance: Hashable, Codable, Sendable {
        /// Pixels.
        case pixels(Double)
        /// A fraction of the image's side.
        case share(Double)

        /// Returns the distance in pixels, not rounded, along a side with `ratio` pixels for each pixel of a distance.
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

    /// Creates an offset from the edge or corner of a gravity; negative distances count the other way.
    ///
    /// - Parameters:
    ///   - across: The distance along the width: inwards from a right edge, otherwise to the right.
    ///   - down: The distance along the height: inwards from a lower edge, otherwise down.
    package init(across: Distance, down: Distance) {
        self.across = across
        self.down = down
    }

    /// Returns the first pixel of an interval on a side, rounded to whole pixels; half pixels are rounded to even
    /// pixels.
    ///
    /// - Parameters:
    ///   - distance: Counted from the place at `anchor`, inwards if this place is the end of the side.
    ///   - side: The length of the side, in pixels.
    ///   - length: The length of the interval, in the same pixels.
    ///   - anchor: The fraction of the remaining side that lies before the interval.
    ///   - ratio: Pixels of the side for each pixel of a distance.
    /// - Returns: A start that puts the interval inside the side, if it fits.
    static func start(_ distance: Distance, side: Double, length: Double, anchor: Double, ratio: Double = 1) -> Double {
        let slack = max(0, side - length)
        let moved = distance.pixels(of: side, ratio: ratio)
        return min(max(0, (slack * anchor + (anchor == 1 ? -moved : moved)).rounded(.toNearestOrEven)), slack)
    }
}
