import Framing
import Geometry
package import Motion

/// Plans with layouts, people, shots and speech.
extension ClipPlanner {
    /// Returns the crops of all frames, with people, shots and speech.
    ///
    /// - Parameters:
    ///   - request: The image, the aspect ratio and the layout.
    ///   - frameCount: The number of frames.
    ///   - shots: The first frames of the shots, in order.
    ///   - samples: The detections in some frames, in order.
    ///   - sound: The loudness of the sound; nil for a clip without sound.
    ///   - edits: The editor's changes.
    /// - Returns: The plan.
    package static func clip(
        _ request: MotionRequest,
        frameCount: Int,
        shots: [Int],
        samples: [FaceSample],
        sound: Loudness? = nil,
        edits: PlanEdits = PlanEdits()
    ) -> ClipPlan {
        var clip = ClipPlan(frames: [], shots: [], people: [], speech: [])
        clip.frames.reserveCapacity(frameCount)
        for (number, frames) in ranges(of: shots, frameCount: frameCount) {
            let own = samples.filter { frames.contains($0.frame) }
            let shot = ShotTracks(own, frames: frames, fps: request.fps, size: request.size)
            clip.add(number, frames, shot, samples: own, request, sound, edits)
        }
        CropEdits(size: request.size).apply(edits.crops, to: &clip.frames)
        return clip
    }

    /// Applies changes to a plan; changed shots are planned again with the people of the plan.
    ///
    /// - Parameters:
    ///   - plan: A plan with consecutive frames.
    ///   - request: The image and the aspect ratio of the plan.
    ///   - edits: The changes of an editor.
    /// - Returns: The plan, in which everything else is unchanged.
    package static func changed(_ plan: ClipPlan, _ request: MotionRequest, edits: PlanEdits) -> ClipPlan {
        var clip = plan
        for (position, shot) in plan.shots.enumerated() where edits.change(of: shot.frames) != nil {
            let people = plan.people.filter { $0.shot == shot.number }
            let known = people.compactMap(Track.init)
            let tracks = ShotTracks(known, frames: shot.frames, fps: request.fps, size: request.size)
            var single = ClipPlan(frames: [], shots: [], people: [], speech: [])
            let numbers = people.map(\.number)
            single.add(shot.number, shot.frames, tracks, samples: [], request, nil, edits, numbers: numbers)
            guard let planned = single.shots.first else { continue }
            clip.shots[position] = planned
            let places = Dictionary(uniqueKeysWithValues: clip.frames.enumerated().map { ($1.frame, $0) })
            for frame in single.frames { if let place = places[frame.frame] { clip.frames[place] = frame } }
        }
        CropEdits(size: request.size).apply(edits.crops, to: &clip.frames)
        return clip
    }
}

extension ClipPlan {
    /// Plans a shot and adds it.
    fileprivate mutating func add(
        _ number: Int,
        _ range: Range<Int>,
        _ shot: ShotTracks,
        samples: [FaceSample],
        _ request: MotionRequest,
        _ sound: Loudness?,
        _ edits: PlanEdits,
        numbers: [Int]? = nil
    ) {
        let speakers = Speakers(shot, fps: request.fps, sound: sound)
        let change = edits.change(of: range)
        let numbers = numbers ?? shot.tracks.indices.map { people.count + $0 + 1 }
        let picked = change?.people?.compactMap { shot.track($0, numbers: numbers) }
        let planner = LayoutPlanner(request: request, frames: range, shot: shot, samples: samples, speakers: speakers)
        let plan = planner.plan(
            change?.layout ?? request.layout,
            picked: picked?.isEmpty == true ? nil : picked,
            previous: shots.last?.layout
        )
        people += zip(numbers, shot.tracks).map { PlannedPerson(number: $0, shot: number, $1) }
        speech += speakers.turns(in: range).map { turn in
            SpeechTurn(person: numbers[turn.person], first: turn.first, last: turn.last)
        }
        shots.append(
            PlannedShot(
                number: number,
                frames: range,
                layout: plan.layout,
                reason: change == nil ? plan.reason : "changed by hand",
                people: plan.people.map { numbers[$0] }
            )
        )
        for (index, frame) in plan.frames.enumerated() {
            frames.append(
                PlannedFrame(
                    frame: range.lowerBound + index,
                    crop: frame.crop,
                    panes: frame.panes,
                    isCut: index == 0 ? range.lowerBound > 0 : plan.cuts.contains(index),
                    shot: number,
                    faces: frame.faces
                )
            )
        }
    }
}

extension PlannedPerson {
    init(number: Int, shot: Int, _ track: Track) {
        self.init(
            number: number,
            shot: shot,
            sightings: track.points.map { ($0.frame, FaceSighting($0.subject, isSure: $0.isSure, lips: $0.lips)) }
        )
    }
}

extension Track {
    /// Creates the track of a person of a plan; nil without a sighting.
    fileprivate init?(_ person: PlannedPerson) {
        let sightings = person.sightings.sorted { $0.frame < $1.frame }
        guard let first = sightings.first else { return nil }
        self.init(first.sighting, frame: first.frame)
        for (frame, sighting) in sightings.dropFirst() { add(sighting, frame: frame) }
    }
}

extension ShotTracks {
    /// Returns the position in ``tracks`` of the person that an edit names.
    ///
    /// The result is nil if no person has the number, or if the place is farther from the nearest head than 1.5 times
    /// the head's width.
    fileprivate func track(_ person: PlanEdits.Person, numbers: [Int]) -> Int? {
        switch person {
        case .number(let number):
            return numbers.firstIndex(of: number).flatMap { tracks.indices.contains($0) ? $0 : nil }
        case .place(let frame, let x, let y):
            return nearest(in: frame, within: 1.5) { head in
                let (across, down) = (head.x + head.width / 2 - x, head.y + head.height / 2 - y)
                return (across * across + down * down).squareRoot() / max(1, head.width)
            }
        }
    }
}

extension Speakers {
    /// Returns the times in which one of the people speaks, with positions of people; times shorter than 0.3 s are
    /// omitted.
    fileprivate func turns(in frames: Range<Int>) -> [SpeechTurn] {
        guard areKnown else { return [] }
        let all = Array(0..<people.count)
        let step = max(1, Int(fps / FloorSearch.rate))
        var turns: [SpeechTurn] = []
        for frame in stride(from: frames.lowerBound, to: frames.upperBound, by: step) {
            guard let person = speaker(of: all, at: frame) else { continue }
            let end = min(frames.upperBound, frame + step) - 1
            if let last = turns.last, last.person == person, last.last == frame - 1 {
                turns[turns.count - 1].last = end
            } else {
                turns.append(SpeechTurn(person: person, first: frame, last: end))
            }
        }
        return turns.filter { Double($0.last - $0.first + 1) >= 0.3 * fps }
    }
}

/// Moves a planned path through the places that an editor has set.
///
/// The path keeps its motion, and is moved by its distance from the places. This distance is interpolated linearly
/// between two places, and is constant before the first and after the last place of a shot.
struct CropEdits {
    let size: PixelSize

    /// Applies places to frames; each place affects the frames up to the next jump on both sides.
    func apply(_ edits: [PlanEdits.Crop], to frames: inout [PlannedFrame]) {
        guard !edits.isEmpty else { return }
        var start = 0
        while start < frames.count {
            var end = start + 1
            while end < frames.count, !frames[end].isCut { end += 1 }
            for pane in 0...1 {
                let own = edits.filter {
                    $0.pane == pane && (frames[start].frame...frames[end - 1].frame).contains($0.frame)
                }
                if !own.isEmpty { move(start..<end, of: &frames, by: own.sorted { $0.frame < $1.frame }, pane) }
            }
            start = end
        }
    }

    private func move(_ part: Range<Int>, of frames: inout [PlannedFrame], by edits: [PlanEdits.Crop], _ pane: Int) {
        let offset = frames[part.lowerBound].frame
        // Offsets are measured from the planned path before any frame of it is moved.
        let moves = edits.compactMap { edit -> (frame: Int, x: Double?, y: Double?)? in
            let index = part.lowerBound + edit.frame - offset
            guard part.contains(index), let crop = frames[index].region(of: pane) else { return nil }
            return (edit.frame, edit.x.map { $0 - crop.x }, edit.y.map { $0 - crop.y })
        }
        let across = moves.compactMap { move in move.x.map { (move.frame, $0) } }
        let down = moves.compactMap { move in move.y.map { (move.frame, $0) } }
        for index in part {
            guard let crop = frames[index].region(of: pane) else { continue }
            let frame = frames[index].frame
            let moved = crop.moved(x: Self.value(across, at: frame), y: Self.value(down, at: frame)).clamped(to: size)
            frames[index].set(moved, pane)
        }
    }

    private static func value(_ moves: [(frame: Int, way: Double)], at frame: Int) -> Double {
        guard let next = moves.firstIndex(where: { $0.frame >= frame }) else { return moves.last?.way ?? 0 }
        guard next > 0, moves[next].frame > frame else { return moves[next].way }
        let (from, to) = (moves[next - 1], moves[next])
        return from.way + (to.way - from.way) * Double(frame - from.frame) / Double(to.frame - from.frame)
    }
}
