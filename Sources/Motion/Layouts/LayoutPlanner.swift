import Framing
import Geometry

/// Plans a shot in a given layout, or chooses one for it.
struct LayoutPlanner {
    /// The least seconds of a shot with a layout of its own: a shorter one keeps a wide layout, or follows.
    static let shortest = FloorSearch.least
    /// The least share of the shot's time, and of the greatest importance of a person, for a person to count.
    private static let lasting = (time: 0.5, importance: 0.1)
    /// The share of their heads that one crop must hold to be chosen at once.
    private static let holdsAll = 0.9
    /// The share from which one crop is better than the whole picture, in which people are small.
    private static let holdsEnough = 0.6
    /// The share of all speech from which one of two people has the floor.
    private static let mostSpeech = 0.75
    /// The share of a shot with speech from which speech decides whom to show.
    private static let tellingSpeech = 0.3

    let request: MotionRequest
    private let planner: ShotPlanner
    private let holds: HoldPlanner
    private let stacks: StackPlanner

    init(_ request: MotionRequest) {
        self.request = request
        planner = ShotPlanner(request: request)
        holds = HoldPlanner(request: request)
        stacks = StackPlanner(request: request)
    }

    /// The plan of a shot.
    ///
    /// - Parameters:
    ///   - layout: The layout.
    ///   - frames: The frames; not empty.
    ///   - shot: The people.
    ///   - samples: The detections, for attention where there are no people.
    ///   - speakers: Who speaks.
    ///   - picked: The positions of the people to show; nil for those whom the gravity selects.
    ///   - previous: The layout of the shot before.
    /// - Returns: The plan.
    func plan(
        _ layout: Layout,
        _ frames: Range<Int>,
        _ shot: ShotTracks,
        samples: [FaceSample],
        _ speakers: Speakers,
        picked: [Int]? = nil,
        previous: Layout? = nil
    ) -> ShotPlan {
        let chosen = picked.map(Set.init) ?? Selection.tracks(request.framing.gravity, of: shot, in: request.size)
        switch layout {
        case .follow: return follow(frames, shot, chosen, samples, "asked for")
        case .hold: return hold(frames, shot, chosen, samples, speakers, "asked for")
        case .stack: return stack(frames, shot, chosen, samples, picked, "asked for")
        case .wide: return wide(frames, shot, "asked for")
        case .auto: return choose(frames, shot, chosen, samples, speakers, picked, previous)
        }
    }

    private func choose(
        _ frames: Range<Int>,
        _ shot: ShotTracks,
        _ chosen: Set<Int>,
        _ samples: [FaceSample],
        _ speakers: Speakers,
        _ picked: [Int]?,
        _ previous: Layout?
    ) -> ShotPlan {
        let people = lasting(frames, shot, chosen)
        var simple = follow(frames, shot, chosen, samples, "")
        if let screen = request.screen, let person = person(beside: screen, shot, frames, chosen) {
            return stack(frames, shot, chosen, samples, [person], "a screen and a person")
        }
        if chosen.isEmpty {
            simple.reason = "nobody was found"
            return simple
        }
        let kept = keptShare(simple, people, frames, shot)
        if people.count < 2 || kept >= Self.holdsAll {
            simple.reason = people.count == 1 ? "one person" : "one crop holds all \(people.count) people"
            if people.isEmpty { simple.reason = "nobody stays long" }
            return simple
        }
        let share = "one crop holds \(Int((100 * kept).rounded())) % of the heads of \(people.count) people"
        if Double(frames.count) < Self.shortest * request.fps {
            if previous == .wide { return wide(frames, shot, "\(share), and the shot is short, so the layout stays") }
            simple.reason = "the shot is shorter than \(Self.shortest) s"
            return simple
        }
        let speech = speechShares(people, frames, shot, speakers)
        if people.count == 2 {
            if speech.spoken >= Self.tellingSpeech, let most = speech.shares.max(), most >= Self.mostSpeech {
                let percent = Int((100 * most).rounded())
                return hold(frames, shot, chosen, samples, speakers, "\(share), and one has \(percent) % of the speech")
            }
            return stack(frames, shot, Set(people), samples, picked, "\(share), and both take part")
        }
        if speech.spoken >= Self.tellingSpeech {
            return hold(frames, shot, chosen, samples, speakers, "\(share), and who speaks is known")
        }
        if kept >= Self.holdsEnough {
            simple.reason = share
            return simple
        }
        return wide(frames, shot, share)
    }

    // MARK: Layouts

    private func follow(
        _ frames: Range<Int>,
        _ shot: ShotTracks,
        _ chosen: Set<Int>,
        _ samples: [FaceSample],
        _ reason: String
    ) -> ShotPlan {
        let crops = planner.crops(frames, shot, of: chosen, samples: samples)
        return ShotPlan(
            layout: .follow,
            reason: reason,
            people: chosen.sorted(),
            frames: crops.map { ShotPlan.Frame(crop: $0.crop, faces: $0.faces) }
        )
    }

    private func hold(
        _ frames: Range<Int>,
        _ shot: ShotTracks,
        _ chosen: Set<Int>,
        _ samples: [FaceSample],
        _ speakers: Speakers,
        _ reason: String
    ) -> ShotPlan {
        let segments = holds.segments(frames, shot, among: chosen, speakers)
        guard !segments.isEmpty else { return follow(frames, shot, chosen, samples, "\(reason); nobody was found") }
        var plan = ShotPlan(layout: .hold, reason: reason, people: [], frames: [])
        for segment in segments {
            if !plan.frames.isEmpty { plan.cuts.insert(plan.frames.count) }
            for person in segment.people.sorted() where !plan.people.contains(person) { plan.people.append(person) }
            let crops = planner.crops(segment.frames, shot, of: segment.people, samples: samples)
            plan.frames += crops.map { ShotPlan.Frame(crop: $0.crop, faces: $0.faces) }
        }
        return plan
    }

    private func stack(
        _ frames: Range<Int>,
        _ shot: ShotTracks,
        _ chosen: Set<Int>,
        _ samples: [FaceSample],
        _ picked: [Int]?,
        _ reason: String
    ) -> ShotPlan {
        if let screen = request.screen {
            let person = picked?.first ?? person(beside: screen, shot, frames, chosen)
            guard let person else {
                return follow(frames, shot, chosen, samples, "\(reason); nobody is beside the screen")
            }
            let planned = stacks.plan(frames, shot, screen: screen, person)
            return ShotPlan(layout: .stack, reason: reason, people: [person], frames: planned)
        }
        let people = (picked?.count == 2 ? picked : nil) ?? lasting(frames, shot, chosen)
        guard people.count >= 2 else {
            return follow(frames, shot, chosen, samples, "\(reason); fewer than two people stay in the shot")
        }
        // Where only one of the two is present, the result shows that person alone.
        let least = Int(Self.shortest * request.fps)
        let both = frames.clamped(to: shot.lifetime(people[0])).clamped(to: shot.lifetime(people[1]))
        guard both.count >= min(least, frames.count) else {
            return follow(frames, shot, chosen, samples, "\(reason); two people are there together too briefly")
        }
        let start = both.lowerBound - frames.lowerBound < least ? frames.lowerBound : both.lowerBound
        let end = frames.upperBound - both.upperBound < least ? frames.upperBound : both.upperBound
        let panes = stacks.plan(start..<end, shot, people[0], people[1])
        var plan = ShotPlan(layout: .stack, reason: reason, people: panes.people, frames: [])
        for part in [frames.lowerBound..<start, start..<end, end..<frames.upperBound] where !part.isEmpty {
            if !plan.frames.isEmpty { plan.cuts.insert(plan.frames.count) }
            if part.lowerBound == start {
                plan.frames += panes.frames
            } else {
                let crops = planner.crops(part, shot, of: chosen, samples: samples)
                plan.frames += crops.map { ShotPlan.Frame(crop: $0.crop, faces: $0.faces) }
            }
        }
        return plan
    }

    private func wide(_ frames: Range<Int>, _ shot: ShotTracks, _ reason: String) -> ShotPlan {
        let whole = FractionalRect(PixelRect(request.size))
        return ShotPlan(
            layout: .wide,
            reason: reason,
            people: [],
            frames: frames.map { ShotPlan.Frame(crop: whole, panes: .whole, faces: shot.present(in: $0).count) }
        )
    }

    // MARK: People of a shot

    /// The people who matter and stay, the most important ones first.
    private func lasting(_ frames: Range<Int>, _ shot: ShotTracks, _ chosen: Set<Int>) -> [Int] {
        let order = chosen.sorted { (shot.importance($0), $1) > (shot.importance($1), $0) }
        guard let first = order.first else { return [] }
        let most = shot.importance(first)
        return order.filter {
            let time = frames.clamped(to: shot.lifetime($0)).count
            return Double(time) >= Self.lasting.time * Double(frames.count)
                && shot.importance($0) >= Self.lasting.importance * most
        }
    }

    /// The most important person whose head is outside of a screen.
    private func person(
        beside screen: FractionalRect,
        _ shot: ShotTracks,
        _ frames: Range<Int>,
        _ chosen: Set<Int>
    ) -> Int? {
        lasting(frames, shot, chosen).first { person in
            let heads = shot.tracks[person].points.map(\.head)
            let outside = heads.count { head in
                let (x, y) = (head.x + head.width / 2, head.y + head.height / 2)
                return x < screen.x || x > screen.x + screen.width || y < screen.y || y > screen.y + screen.height
            }
            return 2 * outside > heads.count
        }
    }

    /// The share of the heads of some people that crops hold.
    private func keptShare(_ plan: ShotPlan, _ people: [Int], _ frames: Range<Int>, _ shot: ShotTracks) -> Double {
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

    /// The share of a shot in which somebody speaks, and the share of that for each person.
    private func speechShares(
        _ people: [Int],
        _ frames: Range<Int>,
        _ shot: ShotTracks,
        _ speakers: Speakers
    ) -> (spoken: Double, shares: [Double]) {
        let step = max(1, Int(request.fps / FloorSearch.rate))
        let ticks = Array(stride(from: frames.lowerBound, to: frames.upperBound, by: step))
        let speaking = ticks.compactMap { speakers.speaker(of: people, at: $0) }
        let shares = people.map { person in
            speaking.isEmpty ? 0 : Double(speaking.count { $0 == person }) / Double(speaking.count)
        }
        return (Double(speaking.count) / Double(max(1, ticks.count)), shares)
    }
}
