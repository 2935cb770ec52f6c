/// Finds the smoothest path of a crop along one axis that holds heads; it consists of constant, linear and parabolic
/// pieces.
///
/// It minimises the integral of the absolute velocity, acceleration and jerk, as in Grundmann, Kwatra and Essa,
/// "Auto-directed video stabilization with robust L1 optimal camera paths" (2011). Two distances are added: from the
/// crop to heads outside it, and from the crop to its best place. All weights apply to places in crop widths and times
/// in seconds, so that the path does not depend on the frame rate.
package struct SmoothPath {
    /// The requirements of one frame on the place, in pixels.
    package struct Demand {
        /// The places that keep the held heads whole; nil if no person is held.
        package var held: ClosedRange<Double>?
        /// The best place for the held people.
        package var aim: Double?

        /// Creates a requirement; without `held` and `aim`, every place is equally good.
        ///
        /// - Parameters:
        ///   - held: The places that keep the held heads whole, in pixels; nil if no person is held.
        ///   - aim: The best place for the held people, in pixels; nil for none.
        package init(held: ClosedRange<Double>? = nil, aim: Double? = nil) { (self.held, self.aim) = (held, aim) }
    }

    /// The weight of the velocity; other weights are relative to it.
    static let velocity = 10.0
    /// The weight of the acceleration: a start or a stop takes a twentieth of a second.
    static let acceleration = 0.05
    /// The weight of the jerk: motion begins and ends softly, within half a second.
    static let jerk = 0.75
    /// The weight of a head that is outside by one crop width for a second.
    static let holding = 2000.0
    /// The weight of a distance of one crop width from the aim for a second.
    ///
    /// With this weight, a motion is worth its cost after two seconds.
    static let centring = 6.0
    /// The weight of a place outside the image; it exceeds all other weights.
    private static let bounds = 1e5
    /// The number of frames that are solved together, and the number of these frames that are kept.
    ///
    /// This bounds the memory for long shots.
    static let window = (solved: 1500, kept: 1000)

    /// The crop's width, in pixels: the unit of weights.
    package let unit: Double
    /// The maximum place, in pixels.
    package let room: Double
    package let fps: Double

    /// Creates a search for paths along one axis.
    ///
    /// - Parameters:
    ///   - unit: The crop's width, in pixels.
    ///   - room: The maximum place, in pixels.
    ///   - fps: Frames per second, above 0.
    package init(unit: Double, room: Double, fps: Double) { (self.unit, self.room, self.fps) = (unit, room, fps) }

    /// Returns the places of all frames, in pixels; up to three places before the first frame are continued.
    package func places(_ demands: [Demand], after beginning: [Double] = []) -> [Double] {
        guard room > 0 else { return demands.map { _ in 0 } }
        var places = beginning
        let lead = beginning.count
        while places.count - lead < demands.count {
            let from = places.count - lead
            let to = min(demands.count, from + Self.window.solved)
            let piece = solved(Array(demands[from..<to]), after: Array(places.suffix(3)))
            places += piece.prefix(to == demands.count ? piece.count : Self.window.kept)
        }
        return Array(places.dropFirst(lead))
    }

    private func solved(_ demands: [Demand], after fixed: [Double]) -> [Double] {
        let lead = fixed.count
        let count = lead + demands.count
        var penalties = LinearPenalties(unknowns: count)
        for (index, place) in fixed.enumerated() {
            penalties.add(index, [1], offset: place / unit, above: Self.bounds, below: Self.bounds)
        }
        let orders: [([Double], Double)] = [
            ([-1, 1], Self.velocity),
            ([1, -2, 1], Self.acceleration * fps),
            ([-1, 3, -3, 1], Self.jerk * fps * fps),
        ]
        for (coefficients, weight) in orders where count >= coefficients.count {
            for start in 0...(count - coefficients.count) {
                penalties.add(start, coefficients, offset: 0, above: weight, below: weight)
            }
        }
        var start = fixed
        var last = fixed.last ?? demands.lazy.compactMap(\.aim).first ?? room / 2
        for (index, demand) in demands.enumerated() {
            let at = lead + index
            penalties.add(at, [1], offset: 0, above: 0, below: Self.bounds)
            penalties.add(at, [1], offset: room / unit, above: Self.bounds, below: 0)
            if let held = demand.held {
                penalties.add(at, [1], offset: held.upperBound / unit, above: Self.holding / fps, below: 0)
                penalties.add(at, [1], offset: held.lowerBound / unit, above: 0, below: Self.holding / fps)
            }
            if let aim = demand.aim {
                penalties.add(at, [1], offset: aim / unit, above: Self.centring / fps, below: Self.centring / fps)
                last = aim
            }
            start.append(last)
        }
        let solution = InteriorPoint.minimum(of: penalties, from: start.map { $0 / unit })
        return solution.dropFirst(lead).map { min(max($0 * unit, 0), room) }
    }
}
