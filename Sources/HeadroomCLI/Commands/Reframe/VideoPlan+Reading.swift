import Foundation
import Framing
import Geometry
import Motion

/// The validation of plans that were read, and their meaning.
extension VideoPlan {
    /// The most frames, people and sightings.
    private static let mostEntries = 1 << 24

    /// The first problem of a document; nil if all numbers can be used.
    var problem: String? {
        if let source, !Self.isSide(source.width) || !Self.isSide(source.height) || !(1...1000).contains(source.fps) {
            return "source is not valid: expected a width, a height and a rate of frames"
        }
        if frames != nil, source == nil { return "source is missing: expected the size of the video beside frames" }
        var last = -1
        for line in frames ?? [] {
            guard line.isValid, line.frame > last else {
                return "frames: frame \(line.frame) is not valid; expected frame, x, y, width and height, by frame"
            }
            last = line.frame
        }
        if let frames, frames.isEmpty { return "frames is empty; expected one frame at least, or no frames" }
        for (index, shot) in (shots ?? []).enumerated() {
            let start = index == 0 ? 0 : (shots?[index - 1].last ?? 0) + 1
            guard shot.first == start, shot.last >= shot.first, shot.last < Self.mostEntries, shot.layout != .auto
            else {
                return
                    "shots: shot \(shot.shot) is not valid; expected first and last frames without a gap, and a layout"
            }
        }
        let numbers = (people ?? []).map(\.person)
        if Set(numbers).count < numbers.count { return "people: a number occurs twice" }
        for person in people ?? [] {
            guard person.sightings.allSatisfy(\.isValid), !person.sightings.isEmpty else {
                return "people: person \(person.person) has a sighting that is not valid"
            }
        }
        return edits?.problem
    }

    private static func isSide(_ length: Int) -> Bool { (1...1 << 16).contains(length) }

    /// The changes by hand, for a video.
    ///
    /// - Parameter fps: Frames a second, for changes at a time.
    /// - Returns: The changes.
    func edits(fps: Double) -> PlanEdits {
        func frame(_ number: Int?, _ time: Double?) -> Int {
            number ?? Int(min(max(0, (time ?? 0) * fps), Double(Self.mostEntries)).rounded())
        }
        return PlanEdits(
            shots: (edits?.shots ?? []).map { edit in
                PlanEdits.Shot(
                    frame: frame(edit.frame, edit.time),
                    layout: edit.layout,
                    people: edit.people?.map { person in
                        if let number = person.person { return .number(number) }
                        let own = person.frame ?? person.time.map { frame(nil, $0) } ?? frame(edit.frame, edit.time)
                        return .place(frame: own, x: person.x ?? 0, y: person.y ?? 0)
                    }
                )
            },
            crops: (edits?.crops ?? []).map { edit in
                PlanEdits.Crop(frame: frame(edit.frame, edit.time), x: edit.x, y: edit.y, pane: edit.pane ?? 0)
            }
        )
    }

    /// The plan; nil if the document has no frames and everything is to be planned.
    ///
    /// - Parameter size: The size of the video.
    /// - Returns: The plan.
    func clip(in size: PixelSize) -> ClipPlan? {
        guard let frames else { return nil }
        var regions = PlannedRegions(frames, in: size)
        let people = visible(in: size)
        return ClipPlan(
            frames: regions.all(),
            shots: (shots ?? []).map { shot in
                PlannedShot(
                    number: shot.shot,
                    frames: shot.first..<shot.last + 1,
                    layout: shot.layout,
                    reason: shot.reason ?? "",
                    people: shot.people
                )
            },
            people: people,
            speech: speech ?? []
        )
    }

    /// The people of the document, as far as their heads are in a video of a size.
    private func visible(in size: PixelSize) -> [PlannedPerson] {
        (people ?? []).compactMap { person in
            let inside = person.sightings.compactMap { sighting -> (frame: Int, sighting: FaceSighting)? in
                var known = sighting.sighting
                let head = known.subject.head.intersection(PixelRect(size))
                let face = known.subject.face.intersection(head)
                guard head.area > 0, face.area > 0 else { return nil }
                (known.subject.head, known.subject.face) = (head, face)
                return (sighting.frame, known)
            }
            guard !inside.isEmpty else { return nil }
            return PlannedPerson(number: person.person, shot: person.shot, sightings: inside)
        }
    }
}

extension VideoPlan.Sighting {
    /// Whether its numbers can be used.
    fileprivate var isValid: Bool {
        (0..<1 << 24).contains(frame) && face.isValid && head.isValid && (0...1).contains(reliability)
            && (0...1 << 16).contains(tolerance) && (lips.map { (0...1e6).contains($0) } ?? true)
    }
}

extension PlanBox {
    fileprivate var isValid: Bool {
        [x, y].allSatisfy { (-(1 << 17)...1 << 17).contains($0) }
            && [width, height].allSatisfy { (1...1 << 17).contains($0) }
    }
}

extension VideoPlan.Edits {
    /// The first problem.
    fileprivate var problem: String? {
        func isPlace(_ value: Double?) -> Bool { value.map { abs($0) < 1e6 } ?? true }
        func isTime(_ frame: Int?, _ time: Double?) -> Bool {
            (frame != nil) != (time != nil) && (0..<1 << 24).contains(frame ?? 0) && (0...1e6).contains(time ?? 0)
        }
        for (index, edit) in (shots ?? []).enumerated() {
            guard isTime(edit.frame, edit.time) else {
                return "edits.shots.\(index) is not valid: expected either frame or time"
            }
            for person in edit.people ?? [] {
                let isWhere = person.x != nil && person.y != nil && isPlace(person.x) && isPlace(person.y)
                let isWhen =
                    (person.frame == nil && person.time == nil) || isTime(person.frame, person.time)
                guard person.person != nil || isWhere && isWhen else {
                    return "edits.shots.\(index).people is not valid: expected person, or x and y"
                }
            }
        }
        for (index, edit) in (crops ?? []).enumerated() {
            guard isTime(edit.frame, edit.time), isPlace(edit.x), isPlace(edit.y), edit.x != nil || edit.y != nil,
                (0...1).contains(edit.pane ?? 0)
            else { return "edits.crops.\(index) is not valid: expected either frame or time, x or y, and pane 0 or 1" }
        }
        return nil
    }
}
