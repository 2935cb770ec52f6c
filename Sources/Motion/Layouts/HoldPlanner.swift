import Framing
import Geometry

/// Divides a shot into times in which one person has the floor.
struct HoldPlanner {
    /// A time in which the crop holds the same people.
    struct Segment {
        var frames: Range<Int>
        /// Positions of tracks; several if one crop holds them all.
        var people: Set<Int>
        /// Who has the floor.
        var person: Int
    }

    /// The most people among whom one is chosen, the most important ones.
    static let mostPeople = 8
    /// What a second with a person is worth beside a second of speech.
    private static let presence = 0.3
    /// The share of a time in which a crop must hold all of several people, so that it need not change.
    private static let mostlyHeld = 0.9

    let request: MotionRequest

    /// The segments of a shot; none if nobody is there.
    ///
    /// - Parameters:
    ///   - frames: The frames.
    ///   - shot: The people.
    ///   - chosen: Those among whom one is chosen.
    ///   - speakers: Who speaks.
    ///   - start: Who was shown before and for how many seconds.
    ///   - isOpen: Whether frames after these are expected.
    /// - Returns: Segments without a gap.
    func segments(
        _ frames: Range<Int>,
        _ shot: ShotTracks,
        among chosen: Set<Int>,
        _ speakers: Speakers,
        after start: (person: Int, seconds: Double)? = nil,
        isOpen: Bool = false
    ) -> [Segment] {
        var order = chosen.sorted { (shot.importance($0), $1) > (shot.importance($1), $0) }
        order = Array(order.prefix(Self.mostPeople))
        if let start, chosen.contains(start.person), !order.contains(start.person) { order.append(start.person) }
        guard let first = order.first, !frames.isEmpty else { return [] }
        let most = max(shot.importance(first), .leastNormalMagnitude)
        let length = request.fps / FloorSearch.rate
        let count = max(1, Int((Double(frames.count) / length).rounded(.up)))
        let steps = (0..<count).map { index in
            let frame = min(frames.upperBound - 1, frames.lowerBound + Int((Double(index) + 0.5) * length))
            let scores = order.map { shot.lifetime($0).contains(frame) ? speakers.score($0, at: frame) : 0 }
            let values = zip(order, scores).map { person, score in
                guard shot.lifetime(person).contains(frame) else { return -Self.presence }
                let size = Self.presence * (shot.importance(person) / most).squareRoot()
                return shot.weight(person, in: frame) * (size + (score >= Speakers.least ? score : 0))
            }
            return FloorSearch.Step(values: values, isPause: !scores.contains { $0 >= Speakers.least })
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

    /// Joins neighbours whose people one crop can hold.
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

    /// Whether a crop of the widest size holds all of some people nearly always.
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
