/// The sequence of places with the greatest sum of values, less the cost of motion, by dynamic programming.
///
/// The cost of a motion is proportional to its length, and a motion between two frames has a greatest length.
package struct BestSequence {
    private let cost: Double
    private let reach: Int
    private let places: Int
    private var scores: [Double]
    /// The place that each place of each frame is reached from.
    private var origins: [UInt8] = []
    private var frames = 0

    /// A sequence without frames.
    ///
    /// - Parameters:
    ///   - places: The number of places, at most 256.
    ///   - cost: The cost of a motion by one place.
    ///   - reach: The most places of a motion between two frames.
    ///   - origin: The place before the first frame; nil if it may be any.
    package init(places: Int, cost: Double, reach: Int, from origin: Int? = nil) {
        precondition((1...256).contains(places), "places have numbers of one byte")
        self.places = places
        self.cost = cost
        self.reach = min(max(0, reach), places)
        scores = [Double](repeating: 0, count: places)
        if let origin {
            for place in 0..<places {
                let distance = abs(place - origin)
                scores[place] = distance <= self.reach ? -cost * Double(distance) : -.infinity
            }
        }
    }

    /// Adds a frame with the value of each place; none if all are equal.
    package mutating func add(_ values: [Double]?) {
        var from = (0..<places).map { UInt8($0) }
        if frames > 0 {
            let before = scores
            for place in 0..<places {
                for origin in max(0, place - reach)...min(places - 1, place + reach) {
                    let score = before[origin] - cost * Double(abs(origin - place))
                    if score > scores[place] {
                        scores[place] = score
                        from[place] = UInt8(origin)
                    }
                }
            }
        }
        origins += from
        frames += 1
        guard let values else { return }
        for place in 0..<places { scores[place] += values[place] }
    }

    /// The place of each frame.
    package var best: [Int] {
        guard var place = scores.indices.max(by: { scores[$0] < scores[$1] }) else { return [] }
        var path = [Int](repeating: 0, count: frames)
        for frame in (0..<frames).reversed() {
            path[frame] = place
            place = Int(origins[frame * places + place])
        }
        return path
    }

    /// The best sequence for the values of all frames.
    package static func places(_ values: [[Double]], cost: Double, reach: Int) -> [Int] {
        guard let first = values.first else { return [] }
        var sequence = BestSequence(places: first.count, cost: cost, reach: reach)
        for row in values { sequence.add(row) }
        return sequence.best
    }
}
