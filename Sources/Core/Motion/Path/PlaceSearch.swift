import Geometry

/// Chooses the people to hold.
///
/// It finds the places of a crop over time with the maximum value of kept heads minus the cost of motion.
struct PlaceSearch {
    /// The number of steps between the first and the last compared place.
    static let places = 160
    /// The cost of a motion of one crop width: the minimum time in seconds with a kept head that justifies it.
    static let motionCost = 0.5
    /// The maximum speed, in crop widths per second, so that a motion can be smooth.
    ///
    /// People who move faster are held only by ``SmoothPath``.
    static let speed = 0.6
    /// The cost of a distance of one crop width from the centre of all heads; it decides between equal places.
    static let offCentre = 0.02

    let crop: SlidingCrop
    let fps: Double

    /// Returns a place for each frame, in pixels, given the people of each frame and the crop before the first frame.
    func path(_ frames: [[PresentPerson]], after past: FractionalRect? = nil) -> [Double] {
        guard crop.room > 0 else { return frames.map { _ in 0 } }
        let step = crop.room / Double(Self.places)
        let cost = Self.motionCost * fps * step / crop.width
        let reach = max(1, Int(min(1000, Self.speed / fps * crop.width / step)))
        let origin = past.map { Int((place(of: $0) / step).rounded()) }
        var sequence = BestSequence(places: Self.places + 1, cost: cost, reach: reach, from: origin)
        for people in frames {
            guard !people.isEmpty else {
                sequence.add(nil)
                continue
            }
            let value = PlacementScore(people, crop: crop)
            let middle = middle(of: people)
            sequence.add(
                (0...Self.places).map { index in
                    let place = Double(index) * step
                    return value(place) - Self.offCentre * abs(place - middle) / crop.width
                }
            )
        }
        return sequence.best.map { Double($0) * step }
    }

    /// Returns the place of the widest crop with the same centre as another crop.
    private func place(of other: FractionalRect) -> Double {
        let (start, end) = other.span(crop.axis)
        return min(max((start + end - crop.length) / 2, 0), crop.room)
    }

    private func middle(of people: [PresentPerson]) -> Double {
        let spans = people.map { $0.head.span(crop.axis) }
        let start = spans.map(\.start).min() ?? 0
        let end = spans.map(\.end).max() ?? 0
        return min(max((start + end - crop.length) / 2, 0), crop.room)
    }
}

/// The sequence of places with the maximum sum of values minus the cost of motion, by dynamic programming.
///
/// The cost of a motion is proportional to its length. The motion between two frames has a maximum length.
package struct BestSequence {
    private let cost: Double
    private let reach: Int
    private let places: Int
    private var scores: [Double]
    /// For each place of each frame, the place in the previous frame.
    private var origins: [UInt8] = []
    private var frames = 0

    /// Creates a sequence without frames.
    ///
    /// - Parameters:
    ///   - places: The number of places, at most 256.
    ///   - cost: The cost of a motion by one place.
    ///   - reach: The maximum number of places in a motion between two frames.
    ///   - origin: The place before the first frame; nil for any place.
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

    /// Adds a frame with the value of each place; nil if all values are equal.
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
}
