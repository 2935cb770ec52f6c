import Framing
import Geometry
import Motion

/// Plans a shot in a given layout, or chooses one for it.
struct LayoutPlanner {
    /// The minimum duration of a shot with its own layout, in seconds; shorter shots keep a wide layout or use
    /// `follow`.
    static let shortest = FloorSearch.minimum
    /// The minimum time in the shot, and the minimum importance, for a person to count.
    ///
    /// The time is a fraction of the shot, the importance a fraction of the maximum importance.
    private static let lasting = (time: 0.5, importance: 0.1)
    /// If one crop holds at least this fraction of the heads, it is chosen without further checks.
    private static let holdsAll = 0.9
    /// The minimum fraction of the heads that makes one crop better than the whole image, where people are small.
    private static let holdsEnough = 0.6
    /// The minimum fraction of all speech that makes one of two people the active speaker.
    private static let maxSpeech = 0.75
    /// The minimum fraction of a shot that must contain speech before speech decides which people are shown.
    private static let tellingSpeech = 0.3

    let request: MotionRequest
    /// The frames of the shot; not empty.
    let frames: Range<Int>
    let shot: ShotTracks
    /// The detections, for attention in frames without people.
    let samples: [FaceSample]
    let speakers: Speakers

    /// Plans the shot in a layout; `previous` is the layout of the shot before.
    ///
    /// The result shows the `picked` people, given by position; without them, the people that the gravity selects.
    func plan(_ layout: Layout, picked: [Int]? = nil, previous: Layout? = nil) -> ShotPlan {
        let chosen = picked.map(Set.init) ?? Selection.tracks(request.framing.gravity, of: shot, in: request.size)
        switch layout {
        case .follow: return follow(chosen, "asked for")
        case .hold: return hold(chosen, "asked for")
        case .stack: return stack(chosen, picked, "asked for")
        case .wide: return wide("asked for")
        case .auto: return choose(chosen, picked, previous)
        }
    }

    private func choose(_ chosen: Set<Int>, _ picked: [Int]?, _ previous: Layout?) -> ShotPlan {
        let people = lasting(chosen)
        var simple = follow(chosen, "")
        if let screen = request.screen, let person = person(beside: screen, chosen) {
            return stack(chosen, [person], "a screen and a person")
        }
        if chosen.isEmpty {
            simple.reason = "no person was found"
            return simple
        }
        let kept = keptShare(simple, people)
        if people.count < 2 || kept >= Self.holdsAll {
            simple.reason = people.count == 1 ? "one person" : "one crop holds all \(people.count) people"
            if people.isEmpty { simple.reason = "no person stays long" }
            return simple
        }
        let share = "one crop holds \(Int((100 * kept).rounded())) % of the heads of \(people.count) people"
        if Double(frames.count) < Self.shortest * request.fps {
            if previous == .wide { return wide("\(share), and the shot is short, so the layout stays") }
            simple.reason = "the shot is shorter than \(Self.shortest) s"
            return simple
        }
        let speech = speechShares(people)
        if people.count == 2 {
            if speech.spoken >= Self.tellingSpeech, let maximum = speech.shares.max(), maximum >= Self.maxSpeech {
                return hold(chosen, "\(share), and one person has \(Int((100 * maximum).rounded())) % of the speech")
            }
            return stack(Set(people), picked, "\(share), and both take part")
        }
        if speech.spoken >= Self.tellingSpeech { return hold(chosen, "\(share), and the active speaker is known") }
        if kept >= Self.holdsEnough {
            simple.reason = share
            return simple
        }
        return wide(share)
    }

    // MARK: Layouts

    private func follow(_ chosen: Set<Int>, _ reason: String) -> ShotPlan {
        ShotPlan(layout: .follow, reason: reason, people: chosen.sorted(), frames: crops(frames, of: chosen))
    }

    private func hold(_ chosen: Set<Int>, _ reason: String) -> ShotPlan {
        let segments = HoldPlanner(request: request).segments(frames, shot, among: chosen, speakers)
        guard !segments.isEmpty else { return follow(chosen, "\(reason); no person was found") }
        var plan = ShotPlan(layout: .hold, reason: reason, people: [], frames: [])
        for segment in segments {
            if !plan.frames.isEmpty { plan.cuts.insert(plan.frames.count) }
            for person in segment.people.sorted() where !plan.people.contains(person) { plan.people.append(person) }
            plan.frames += crops(segment.frames, of: segment.people)
        }
        return plan
    }

    private func stack(_ chosen: Set<Int>, _ picked: [Int]?, _ reason: String) -> ShotPlan {
        if let screen = request.screen {
            guard let person = picked?.first ?? person(beside: screen, chosen) else {
                return follow(chosen, "\(reason); no person is next to the screen")
            }
            let planned = StackPlanner(request: request, frames: frames, shot: shot).plan(screen: screen, person)
            return ShotPlan(layout: .stack, reason: reason, people: [person], frames: planned)
        }
        let people = (picked?.count == 2 ? picked : nil) ?? lasting(chosen)
        guard people.count >= 2 else { return follow(chosen, "\(reason); fewer than two people stay in the shot") }
        // If only one of the two people is present, the result shows only that person.
        let minimum = Int(Self.shortest * request.fps)
        let both = frames.clamped(to: shot.lifetime(people[0])).clamped(to: shot.lifetime(people[1]))
        guard both.count >= min(minimum, frames.count) else {
            return follow(chosen, "\(reason); two people are visible together too briefly")
        }
        let start = both.lowerBound - frames.lowerBound < minimum ? frames.lowerBound : both.lowerBound
        let end = frames.upperBound - both.upperBound < minimum ? frames.upperBound : both.upperBound
        let panes = StackPlanner(request: request, frames: start..<end, shot: shot).plan(people[0], people[1])
        var plan = ShotPlan(layout: .stack, reason: reason, people: panes.people, frames: [])
        for part in [frames.lowerBound..<start, start..<end, end..<frames.upperBound] where !part.isEmpty {
            if !plan.frames.isEmpty { plan.cuts.insert(plan.frames.count) }
            plan.frames += part.lowerBound == start ? panes.frames : crops(part, of: chosen)
        }
        return plan
    }

    private func wide(_ reason: String) -> ShotPlan {
        let whole = FractionalRect(PixelRect(request.size))
        let planned = frames.map { ShotFrame(crop: whole, panes: .whole, faces: shot.present(in: $0).count) }
        return ShotPlan(layout: .wide, reason: reason, people: [], frames: planned)
    }

    private func crops(_ frames: Range<Int>, of people: Set<Int>) -> [ShotFrame] {
        ShotPlanner(request: request).crops(frames, shot, of: people, samples: samples)
    }

    // MARK: People of a shot

    /// Returns the people who are important and stay in the shot, ordered by descending importance.
    private func lasting(_ chosen: Set<Int>) -> [Int] {
        let order = chosen.sorted { (shot.importance($0), $1) > (shot.importance($1), $0) }
        guard let first = order.first else { return [] }
        let maximum = shot.importance(first)
        return order.filter {
            let time = frames.clamped(to: shot.lifetime($0)).count
            return Double(time) >= Self.lasting.time * Double(frames.count)
                && shot.importance($0) >= Self.lasting.importance * maximum
        }
    }

    /// Returns the most important person whose head is outside the screen.
    private func person(beside screen: FractionalRect, _ chosen: Set<Int>) -> Int? {
        lasting(chosen).first { person in
            let heads = shot.tracks[person].points.map(\.head)
            let outside = heads.count { head in
                let (x, y) = (head.x + head.width / 2, head.y + head.height / 2)
                return x < screen.x || x > screen.x + screen.width || y < screen.y || y > screen.y + screen.height
            }
            return 2 * outside > heads.count
        }
    }

    /// Returns the fraction of the heads of the given people that the crops hold.
    private func keptShare(_ plan: ShotPlan, _ people: [Int]) -> Double {
        var (kept, all) = (0, 0)
        let step = max(1, Int(request.fps / 5))
        for index in stride(from: 0, to: frames.count, by: step) {
            let crop = plan.frames[index].crop
            for person in people where shot.lifetime(person).contains(frames.lowerBound + index) {
                let head = shot.subject(person, at: frames.lowerBound + index).head
                all += 1
                let (x, y) = (head.x + head.width / 2, head.y + head.height / 2)
                let (across, down) = (0.45 * head.width, 0.45 * head.height)
                let isKept =
                    x - across >= crop.x && x + across <= crop.x + crop.width && y - down >= crop.y
                    && y + down <= crop.y + crop.height
                if isKept { kept += 1 }
            }
        }
        return all == 0 ? 1 : Double(kept) / Double(all)
    }

    /// Returns the fraction of the shot with speech, and each person's fraction of this speech.
    private func speechShares(_ people: [Int]) -> (spoken: Double, shares: [Double]) {
        let step = max(1, Int(request.fps / FloorSearch.rate))
        let ticks = Array(stride(from: frames.lowerBound, to: frames.upperBound, by: step))
        let speaking = ticks.compactMap { speakers.speaker(of: people, at: $0) }
        let shares = people.map { person in
            speaking.isEmpty ? 0 : Double(speaking.count { $0 == person }) / Double(speaking.count)
        }
        return (Double(speaking.count) / Double(max(1, ticks.count)), shares)
    }
}
