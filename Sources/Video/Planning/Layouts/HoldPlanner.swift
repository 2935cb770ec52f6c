import Framing
import Geometry
import Motion

/// Divides a shot into segments with one active speaker each.
struct HoldPlanner {
    /// A part of the shot in which the crop holds the same people.
    struct Segment {
        var frames: Range<Int>
        /// The positions of tracks; there are several if one crop holds several people.
        var people: Set<Int>
        /// The position of the active speaker.
        var person: Int
    }

    /// The maximum number of candidates for the active speaker; the most important people are candidates.
    static let maxPeople = 8
    /// The value of showing the most important person for a second, relative to a second of speech.
    private static let presence = 0.3
    /// The minimum fraction of the time in which one crop must hold several people for their segments to be joined.
    private static let mostlyHeld = 0.9

    let request: MotionRequest

    /// Returns the segments of a shot, without gaps; empty for a shot without people.
    ///
    /// The `chosen` people are the candidates for the active speaker. `start` is the person shown before these frames,
    /// with the time in seconds. If `isOpen`, more frames are expected.
    func segments(
        _ frames: Range<Int>,
        _ shot: ShotTracks,
        among chosen: Set<Int>,
        _ speakers: Speakers,
        after start: (person: Int, seconds: Double)? = nil,
        isOpen: Bool = false
    ) -> [Segment] {
        var order = chosen.sorted { (shot.importance($0), $1) > (shot.importance($1), $0) }
        order = Array(order.prefix(Self.maxPeople))
        if let start, chosen.contains(start.person), !order.contains(start.person) { order.append(start.person) }
        guard let first = order.first, !frames.isEmpty else { return [] }
        let maximum = max(shot.importance(first), .leastNormalMagnitude)
        let length = request.fps / FloorSearch.rate
        let count = max(1, Int((Double(frames.count) / length).rounded(.up)))
        let steps = (0..<count).map { index in
            let frame = min(frames.upperBound - 1, frames.lowerBound + Int((Double(index) + 0.5) * length))
            let scores = order.map { shot.lifetime($0).contains(frame) ? speakers.score($0, at: frame) : 0 }
            let values = zip(order, scores).map { person, score in
                guard shot.lifetime(person).contains(frame) else { return -Self.presence }
                let size = Self.presence * (shot.importance(person) / maximum).squareRoot()
                return shot.weight(person, in: frame) * (size + (score >= Speakers.minimum ? score : 0))
            }
            return FloorSearch.Step(values: values, isPause: !scores.contains { $0 >= Speakers.minimum })
        }
        let before = start.flatMap { start in
            order.firstIndex(of: start.person).map { ($0, Int(min(1e6, start.seconds * FloorSearch.rate))) }
        }
        let shown = FloorSearch.people(steps, after: before, isOpen: isOpen)
        var segments: [Segment] = []
        for (index, choice) in shown.enumerated() {
            let person = order[choice]
            let end = index + 1 == count ? frames.upperBound : frames.lowerBound + Int(Double(index + 1) * length)
            if let last = segments.last, last.person == person {
                segments[segments.count - 1].frames = last.frames.lowerBound..<end
            } else {
                let begin = segments.last?.frames.upperBound ?? frames.lowerBound
                segments.append(Segment(frames: begin..<end, people: [person], person: person))
            }
        }
        return joined(segments.filter { !$0.frames.isEmpty }, shot)
    }

    /// Joins neighbouring segments if one crop can hold their people.
    private func joined(_ segments: [Segment], _ shot: ShotTracks) -> [Segment] {
        var joined: [Segment] = []
        for segment in segments {
            if let last = joined.last {
                let people = last.people.union(segment.people)
                let frames = last.frames.lowerBound..<segment.frames.upperBound
                if fits(people, frames, shot) {
                    joined[joined.count - 1] = Segment(frames: frames, people: people, person: last.person)
                    continue
                }
            }
            joined.append(segment)
        }
        return joined
    }

    /// Whether one crop of the maximum size holds all the given people for ``mostlyHeld`` of the time.
    func fits(_ people: Set<Int>, _ frames: Range<Int>, _ shot: ShotTracks) -> Bool {
        guard people.count > 1 else { return true }
        let step = max(1, Int(request.fps / 5))
        let samples = Array(stride(from: frames.lowerBound, to: frames.upperBound, by: step))
        let crop = request.widest
        let held = samples.count { frame in
            let heads = shot.present(in: frame).filter(people.contains).map { shot.subject($0, at: frame).head }
            guard heads.count > 1 else { return true }
            let (start, end) = FractionalRect(around: heads).span(crop.axis)
            return end - start <= crop.length
        }
        return Double(held) >= Self.mostlyHeld * Double(samples.count)
    }
}

/// Chooses the person to show at each time, with at least ``minimum`` seconds between two changes.
///
/// Important people and active speakers have a high value. The result is optimal; it is computed by dynamic programming
/// over the shown person and the time since the last change.
package struct FloorSearch {
    /// The minimum time between two changes, in seconds.
    package static let minimum = 1.5
    /// Steps per second.
    package static let rate = 10.0
    /// The cost of a change, in seconds of speech.
    static let change = 0.8
    /// The cost of a change in a pause.
    static let changeInPause = 0.4

    /// One step of time.
    package struct Step {
        /// The value of showing each person; speech has the value 1.
        package var values: [Double]
        /// Whether all people are silent.
        package var isPause: Bool

        /// Creates a step of time; a second has ``rate`` steps.
        ///
        /// - Parameters:
        ///   - values: The value of showing each person, in the same order in all steps; speech has the value 1.
        ///   - isPause: Whether all people are silent, so that a change costs less.
        package init(values: [Double], isPause: Bool) {
            (self.values, self.isPause) = (values, isPause)
        }
    }

    private static let ages = Int(minimum * rate)

    /// Returns the person to show in each step.
    ///
    /// - Parameters:
    ///   - steps: The steps, each with a value for the same people; at least one person.
    ///   - start: The person shown before the first step, with the number of steps; nil at the start of a shot.
    ///   - isOpen: Whether more steps follow, so that the last choice may be shorter than ``minimum``.
    /// - Returns: A person for each step, as an index of ``Step/values``.
    package static func people(
        _ steps: [Step],
        after start: (person: Int, steps: Int)? = nil,
        isOpen: Bool = false
    ) -> [Int] {
        guard let count = steps.first?.values.count, count > 0 else { return [] }
        let states = count * (ages + 1)
        func state(_ person: Int, _ age: Int) -> Int { person * (ages + 1) + age }
        var scores = [Double](repeating: -.infinity, count: states)
        var origins: [[Int32]] = []
        for (number, step) in steps.enumerated() {
            var next = [Double](repeating: -.infinity, count: states)
            var from = [Int32](repeating: -1, count: states)
            func reach(_ target: Int, _ score: Double, _ origin: Int) {
                if score > next[target] { (next[target], from[target]) = (score, Int32(origin)) }
            }
            let cost = (step.isPause ? changeInPause : change) * rate
            if number == 0 {
                for person in 0..<count {
                    guard let start else {
                        reach(state(person, 0), 0, -1)
                        continue
                    }
                    if person == start.person {
                        reach(state(person, min(ages, start.steps)), 0, -1)
                    } else if start.steps >= ages {
                        reach(state(person, 0), -cost, -1)
                    }
                }
            } else {
                for person in 0..<count {
                    for age in 0...ages where scores[state(person, age)] > -.infinity {
                        let here = state(person, age)
                        reach(state(person, min(ages, age + 1)), scores[here], here)
                        guard age == ages else { continue }
                        for other in 0..<count where other != person {
                            reach(state(other, 0), scores[here] - cost, here)
                        }
                    }
                }
            }
            for person in 0..<count {
                for age in 0...ages { next[state(person, age)] += step.values[person] }
            }
            scores = next
            origins.append(from)
        }
        return path(scores, origins, isOpen: isOpen || steps.count <= ages)
    }

    private static func path(_ scores: [Double], _ origins: [[Int32]], isOpen: Bool) -> [Int] {
        let ends = scores.indices.filter { isOpen || $0 % (ages + 1) >= ages - 1 }
        guard var state = ends.max(by: { scores[$0] < scores[$1] }), scores[state] > -.infinity else { return [] }
        var people: [Int] = []
        for origin in origins.reversed() {
            people.append(state / (ages + 1))
            state = Int(origin[state])
        }
        return people.reversed()
    }
}
