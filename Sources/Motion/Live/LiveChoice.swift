import Framing
import Geometry

/// Chooses whom a live crop holds, frame by frame, and keeps to it: whoever is held stays held until gone, or until
/// another crop has held more for a while.
struct LiveChoice {
    /// Seconds after which a person who is not found is gone.
    static let gone = 0.7
    /// Seconds for which another crop must hold more.
    static let settle = 0.5
    /// How much more it must hold, in heads.
    static let margin = 0.4
    /// Places of a crop that are compared.
    private static let places = 80

    let request: MotionRequest
    let widest: SlidingCrop
    private var tracker: Tracker
    private var held: Set<Int> = []
    private var betterSince: Int?
    private var firstFrame = 0
    private(set) var faces = 0

    init(_ request: MotionRequest) {
        self.request = request
        widest = request.widest
        tracker = Tracker(patience: max(1, Int(Self.gone * request.fps)))
    }

    /// Whether the faces of a frame after an apparent cut are where they were before it, as after a flash.
    func isContinued(by sample: FaceSample) -> Bool {
        let sure = sample.faces.filter(\.isSure)
        let matched = sure.filter { face in
            tracker.tracks.contains { track in
                sample.frame - track.last.frame <= tracker.patience
                    && Tracker.distance(track.last.face, FractionalRect(face.subject.face)).map { $0 < 0.4 } ?? false
            }
        }
        return !sure.isEmpty && 2 * matched.count > sure.count
    }

    /// Forgets everybody, at a cut.
    mutating func cut(at frame: Int) {
        tracker.cut()
        held = []
        betterSince = nil
        firstFrame = frame
    }

    /// Adds a frame; returns what its people ask of the crop, nil without people.
    mutating func add(_ frame: Int, _ sample: FaceSample?) -> HeldPeople? {
        if let sample {
            tracker.add(sample)
            tracker.forget(before: frame - 2 * tracker.patience)
        }
        let people = present(in: frame)
        faces = people.count
        guard !people.isEmpty else {
            held = []
            return nil
        }
        choose(among: people, frame)
        let kept = people.filter { held.contains($0.track) }
        return HeldPeople(kept.isEmpty ? people : kept, request: request, widest: widest)
    }

    private func present(in frame: Int) -> [PresentPerson] {
        let isBeginning = Double(frame - firstFrame) < Self.gone * request.fps
        let alive = tracker.tracks.filter { track in
            frame - track.last.frame <= tracker.patience
                && (isBeginning || track.points.count > 1 || track.reliability > ShotTracks.certainAlone)
        }
        let chosen = Selection.tracks(request.framing.gravity, of: alive)
        return chosen.sorted().map { index in
            let track = alive[index]
            let (face, head) = track.subject(at: frame)
            return PresentPerson(
                track: track.id,
                face: face,
                head: head,
                tolerance: Double(track.last.subject.tolerance),
                weight: track.reliability
            )
        }
    }

    private mutating func choose(among people: [PresentPerson], _ frame: Int) {
        let value = HeadValue(people, crop: widest)
        let (place, best) = bestPlace(value)
        let current = people.filter { held.contains($0.track) }
        guard !current.isEmpty else {
            take(people, at: place)
            return
        }
        let aim = HeldPeople(current, request: request, widest: widest).aim
        let start =
            widest.axis == .across ? aim.x + (aim.width - widest.width) / 2 : aim.y + (aim.height - widest.height) / 2
        let kept = min(max(start, 0), widest.room)
        if best > value(kept) + Self.margin {
            let since = betterSince ?? frame
            betterSince = since
            if Double(frame - since) >= Self.settle * request.fps { take(people, at: place) }
        } else {
            betterSince = nil
            // Others who are in the crop anyhow are held with the rest, as long as all fit.
            take(people, at: kept, always: held)
        }
    }

    private mutating func take(_ people: [PresentPerson], at place: Double, always: Set<Int> = []) {
        let inside = people.filter { ShotPlanner.keeps($0, place: place, crop: widest) }.map(\.track)
        held = always.union(inside)
        if held.isEmpty, let largest = people.max(by: { $0.face.width < $1.face.width }) { held = [largest.track] }
        betterSince = nil
    }

    private func bestPlace(_ value: HeadValue) -> (place: Double, value: Double) {
        var best = (place: widest.room / 2, value: value(widest.room / 2))
        for index in 0...Self.places {
            let place = widest.room * Double(index) / Double(Self.places)
            let worth = value(place)
            if worth > best.value + 1e-9 { best = (place, worth) }
        }
        return best
    }
}
