import Foundation
import Framing
import Geometry
import Imaging
import Motion

/// A plan as one document: the crops of a video with its shots, people and speech, and changes by hand.
///
/// docs/reframe-plan.schema.json describes it.
struct VideoPlan: Codable {
    /// The video that the plan is for.
    struct Source: Codable, Hashable {
        var width: Int
        var height: Int
        var fps: Double
        var frames: Int
    }

    /// A shot and its layout.
    struct Shot: Codable, Hashable {
        var shot: Int
        var first: Int
        var last: Int
        var layout: Layout
        var reason: String?
        var people: [Int]
    }

    /// A person within a shot.
    struct Person: Codable, Hashable {
        var person: Int
        var shot: Int
        var sightings: [Sighting]
    }

    /// Where a person was seen.
    struct Sighting: Codable, Hashable {
        var frame: Int
        var face: PlanBox
        var head: PlanBox
        var reliability: Double
        var tolerance: Int
        var sure: Bool
        var lips: Double?
    }

    /// Changes by hand.
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

    /// A person's number, or a place in the head at a frame or a time.
    struct PersonReference: Codable, Hashable {
        var person: Int?
        var frame: Int?
        var time: Double?
        var x: Double?
        var y: Double?
    }

    /// A place for the crop in a frame.
    struct CropEdit: Codable, Hashable {
        var frame: Int?
        var time: Double?
        var x: Double?
        var y: Double?
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

    /// The document of a plan.
    ///
    /// - Parameters:
    ///   - clip: The plan.
    ///   - request: What was asked for.
    ///   - region: The part of the picture that a frame shows.
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

    /// The document as JSON, with a line feed.
    var bytes: [UInt8] {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return Array(try encoder.encode(self)) + [0x0A]
        }
    }

    /// What a plan's file holds.
    enum File {
        case lines([PlanLine])
        case document(VideoPlan)
    }

    /// Reads a plan of either form.
    ///
    /// - Throws: A ``CommandFailure`` that says what is not valid.
    static func read(_ path: String) throws(CommandFailure) -> File {
        let bytes = try LocalFile.read(path)
        let document: VideoPlan
        do {
            document = try JSONDecoder().decode(VideoPlan.self, from: Data(bytes))
        } catch {
            // A document is one value with a version; anything else is read as lines.
            guard let value = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any],
                value["version"] != nil
            else { return .lines(try PlanLine.read(bytes, path)) }
            throw CommandFailure("\(path): not a plan: \(reason(error))")
        }
        guard document.version == current else {
            throw CommandFailure("\(path): version \(document.version) of plans is not known; expected \(current)")
        }
        if let problem = document.problem { throw CommandFailure("\(path): \(problem)") }
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

/// A box of whole pixels of the source.
struct PlanBox: Codable, Hashable {
    var x: Int
    var y: Int
    var width: Int
    var height: Int

    init(_ rect: PixelRect) { (x, y, width, height) = (rect.x, rect.y, rect.width, rect.height) }

    var rect: PixelRect { PixelRect(x: x, y: y, width: width, height: height) }
}

extension VideoPlan.Sighting {
    init(_ frame: Int, _ sighting: FaceSighting) {
        self.init(
            frame: frame,
            face: PlanBox(sighting.subject.face),
            head: PlanBox(sighting.subject.head),
            reliability: Double(sighting.subject.reliability) / Double(Subject.certain),
            tolerance: sighting.subject.tolerance,
            sure: sighting.isSure,
            lips: sighting.lips.map(PlanRect.rounded)
        )
    }

    /// The sighting.
    var sighting: FaceSighting {
        let subject = Subject(
            face: face.rect,
            head: head.rect,
            reliability: min(Subject.certain, max(1, Int((reliability * Double(Subject.certain)).rounded()))),
            tolerance: tolerance
        )
        return FaceSighting(subject, isSure: sure, lips: lips)
    }
}
