import FoundationEssentials
import Framing
import Geometry
import Imaging
import Motion

/// A plan as one document: the crops of a video with its shots, people and speech, and manual changes.
///
/// docs/reframe-plan.schema.json describes it.
struct VideoPlan: Codable {
    struct Source: Codable, Hashable {
        var width, height: Int
        var fps: Double
        var frames: Int
    }

    struct Shot: Codable, Hashable {
        var shot, first, last: Int
        var layout: Layout
        var reason: String?
        var people: [Int]
    }

    struct Person: Codable, Hashable {
        var person, shot: Int
        var sightings: [Sighting]
    }

    /// A person's face and head in one frame, in pixels of the source.
    struct Sighting: Codable, Hashable {
        var frame: Int
        var face, head: PixelRect
        var reliability: Double
        var tolerance: Int
        var sure: Bool
        var lips: Double?
    }

    struct Edits: Codable, Hashable {
        var shots: [ShotEdit]?
        var crops: [CropEdit]?
    }

    /// A change of the shot that contains a frame.
    struct ShotEdit: Codable, Hashable {
        var frame: Int?
        var time: Double?
        var layout: Layout?
        var people: [PersonReference]?
    }

    /// A person's number, or a point in the head at a frame or a time.
    struct PersonReference: Codable, Hashable {
        var person, frame: Int?
        var time, x, y: Double?
    }

    /// The left and top edges of a pane's crop at a frame or a time, in pixels of the source.
    ///
    /// Other frames between the neighbouring cuts move by the same amount. Positions between two changes are
    /// interpolated.
    struct CropEdit: Codable, Hashable {
        var frame: Int?
        var time, x, y: Double?
        var pane: Int?
    }

    static let current = 1

    var version: Int
    var source: Source?
    var aspect: String?
    var layout: Layout?
    var screen: PlanRect?
    var shots: [Shot]?
    var people: [Person]?
    var speech: [SpeechTurn]?
    var frames: [PlanLine]?
    var edits: Edits?

    /// The document of a plan; `region` returns the part of the image in a frame.
    init(_ clip: ClipPlan, _ request: MotionRequest, region: (PlannedFrame) -> FractionalRect) {
        version = Self.current
        source = Source(
            width: request.size.width,
            height: request.size.height,
            fps: PlanRect.rounded(request.fps),
            frames: clip.frames.count
        )
        aspect = request.aspect.text
        layout = request.layout
        screen = request.screen.map { PlanRect($0) }
        shots = clip.shots.map { shot in
            Shot(
                shot: shot.number,
                first: shot.frames.lowerBound,
                last: shot.frames.upperBound - 1,
                layout: shot.layout,
                reason: shot.reason,
                people: shot.people
            )
        }
        people = clip.people.map { person in
            Person(person: person.number, shot: person.shot, sightings: person.sightings.map(Sighting.init))
        }
        speech = clip.speech
        frames = clip.frames.map { PlanLine($0, region($0)) }
    }

    enum File {
        case lines([PlanLine])
        case document(VideoPlan)
    }

    /// A JSON object; only the presence of a version matters.
    private struct Versioned: Decodable {
        let hasVersion: Bool

        init(from decoder: any Decoder) throws {
            hasVersion = try decoder.container(keyedBy: CodingKeys.self).contains(.version)
        }

        private enum CodingKeys: CodingKey {
            case version
        }
    }

    /// Reads a plan, which is a document or lines; the path is for messages.
    static func read(_ bytes: [UInt8], _ path: String) throws(ReframeFailure) -> File {
        let document: VideoPlan
        do {
            document = try JSONDecoder().decode(VideoPlan.self, from: Data(bytes))
        } catch {
            // A document is one value with a version; other input is read as lines.
            guard let value = try? JSONDecoder().decode(Versioned.self, from: Data(bytes)), value.hasVersion else {
                return .lines(try PlanLine.read(bytes, path))
            }
            throw .plan(path, reason: "not a plan: \(reason(error))")
        }
        guard document.version == current else {
            throw .plan(
                path,
                reason: "plan version \(document.version) is not supported; expected \(current)"
            )
        }
        if let problem = document.problem { throw .plan(path, reason: problem) }
        return .document(document)
    }

    private static func reason(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return "\(error)" }
        let context: DecodingError.Context
        switch error {
        case .typeMismatch(_, let found), .valueNotFound(_, let found), .dataCorrupted(let found): context = found
        case .keyNotFound(let key, let found):
            let place = (found.codingPath + [key]).map(\.stringValue).joined(separator: ".")
            return "\(place) is missing"
        @unknown default: return "\(error)"
        }
        let place = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
        return "\(place.isEmpty ? "the document" : place): \(context.debugDescription)"
    }
}

extension VideoPlan.Sighting {
    init(_ frame: Int, _ sighting: FaceSighting) {
        self.init(
            frame: frame,
            face: sighting.subject.face,
            head: sighting.subject.head,
            reliability: Double(sighting.subject.reliability) / Double(Subject.certain),
            tolerance: sighting.subject.tolerance,
            sure: sighting.isSure,
            lips: sighting.lips.map(PlanRect.rounded)
        )
    }

    var sighting: FaceSighting {
        let subject = Subject(
            face: face,
            head: head,
            reliability: min(Subject.certain, max(1, Int((reliability * Double(Subject.certain)).rounded()))),
            tolerance: tolerance
        )
        return FaceSighting(subject, isSure: sure, lips: lips)
    }

    fileprivate var isValid: Bool {
        (0..<1 << 24).contains(frame) && face.isValid && head.isValid && (0...1).contains(reliability)
            && (0...1 << 16).contains(tolerance) && (lips.map { (0...1e6).contains($0) } ?? true)
    }
}

/// The validation of plans from files, and their interpretation.
extension VideoPlan {
    /// The maximum number of frames, people and sightings.
    private static let maxEntries = 1 << 24

    /// The first problem of a document; nil if all numbers are valid.
    var problem: String? {
        if let source, !Self.isSide(source.width) || !Self.isSide(source.height) || !(1...1000).contains(source.fps) {
            return "source is not valid: expected a width, a height and a frame rate"
        }
        if frames != nil, source == nil { return "source is missing: frames require the size of the video" }
        var last = -1
        for line in frames ?? [] {
            guard line.isValid, line.frame > last else {
                return "frames: frame \(line.frame) is not valid; expected frame, x, y, width and height, by frame"
            }
            last = line.frame
        }
        if let frames, frames.isEmpty { return "frames is empty; expected at least one frame, or no member frames" }
        for (index, shot) in (shots ?? []).enumerated() {
            let start = index == 0 ? 0 : (shots?[index - 1].last ?? 0) + 1
            guard shot.first == start, shot.last >= shot.first, shot.last < Self.maxEntries, shot.layout != .auto
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

    /// The manual changes; `fps`, frames per second, is for changes at a time.
    func edits(fps: Double) -> PlanEdits {
        func frame(_ number: Int?, _ time: Double?) -> Int {
            number ?? Int(min(max(0, (time ?? 0) * fps), Double(Self.maxEntries)).rounded())
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

    /// The plan for a video of a size; nil if the document contains no frames, so that everything must be planned.
    func clip(in size: PixelSize) -> ClipPlan? {
        guard let frames else { return nil }
        var regions = PlannedRegions(frames, in: size)
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
            people: visible(in: size),
            speech: speech ?? []
        )
    }

    /// The people of the document whose heads are at least partly inside the frame, clipped to it.
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

extension PixelRect {
    fileprivate var isValid: Bool {
        [x, y].allSatisfy { (-(1 << 17)...1 << 17).contains($0) }
            && [width, height].allSatisfy { (1...1 << 17).contains($0) }
    }
}

extension VideoPlan.Edits {
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
