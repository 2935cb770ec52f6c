import FaceDetection
import Framing
import Geometry
import Imaging
package import Pipeline

/// The JSON document of a plan or of a list of faces.
///
/// All rectangles are in pixels of the upright image, with the origin at the top left and y pointing down. Rectangles,
/// sizes and landmarks have the same members as their types.
package struct PlanDocument: Encodable, Sendable {
    struct Source: Encodable {
        var width: Int
        var height: Int
        var format: String
        var orientation: Int
        var animation: Animation?
        /// True if a part of the image cannot be decoded; otherwise absent.
        var damaged: Bool?

        init(_ source: FramePlan.Source) {
            width = source.size.width
            height = source.size.height
            format = source.format.rawValue
            orientation = source.orientation
            animation = source.animation.map {
                Animation(frames: $0.frames, duration: $0.duration, loop: $0.plays)
            }
            damaged = source.isDamaged ? true : nil
        }
    }

    struct Animation: Encodable {
        var frames: Int
        /// The total duration of all frames, in milliseconds.
        var duration: Int
        /// The number of times that the animation plays; 0 means forever.
        var loop: Int
    }

    struct Crop: Encodable {
        /// The requested aspect ratio; the image's own aspect ratio if none was requested.
        var aspect: String
        var crop: PixelRect
        /// The crop before it was moved into the image.
        var unclamped: PixelRect
        var output: PixelSize
        /// The rectangle of the crop in the output, in pixels; absent if the crop fills the output.
        var contentRect: PixelRect?
        /// The deprecated name of ``contentRect``.
        var picture: PixelRect?
        /// CSS `object-position`.
        var position: String
        var focus: FocalPoint
        var decision: String
        var faces: [FaceOutcome]
        var faceFree: FaceFree?
        /// The rotated rectangle that the output shows; absent without a rotation.
        var turned: TurnedDocument?
        /// The crop of each frame of an animation; absent if all frames have the same `crop`.
        var path: [PixelRect]?
        /// The placeholder that a page shows until the crop is loaded; absent unless it was requested.
        var placeholder: PlaceholderDocument?
        /// The position of the watermark; absent without a watermark.
        var watermark: WatermarkDocument?
        /// The deprecated name of ``watermark``.
        var mark: MarkDocument?
    }

    struct Face: Encodable {
        var box: PixelRect
        var head: PixelRect
        /// The probability that the detection is a face, 0 to 1.
        var confidence: Double
        /// The margin above the detector's threshold.
        var score: Double
        /// The names of the detectors that found the face; absent without a detector.
        var foundBy: [String]?
        var pose: String?
        var landmarks: LandmarksDocument?
        /// The rotation of the line through both eyes, in degrees, clockwise positive.
        var roll: Double?
        /// Whether the first crop contains the whole head; absent in a list of faces.
        var kept: Bool?
        /// The frame of an animation that shows the face, counted from 0.
        var frame: Int?
    }

    struct Subject: Encodable {
        /// The class, such as `person` or `traffic-light`.
        var kind: String
        /// The probability of the class, 0 to 1.
        var score: Double
        var box: PixelRect
        /// The estimated head of a person or an animal; absent for things.
        var head: PixelRect?

        enum CodingKeys: String, CodingKey {
            case kind = "class"
            case score, box, head
        }

        init(_ subject: PlannedSubject) {
            kind = subject.kind.word
            score = PlanDocument.rounded(subject.score, to: 10_000)
            box = subject.box
            head = subject.head
        }
    }

    struct Detector: Encodable {
        var name: String
        var accuracy: String
        /// The total time of the detection passes, even if they ran for an earlier request.
        var milliseconds: Double
        var passes: [Pass]
        /// The deprecated name of ``passes``.
        var looks: [Look]
        /// True if the passes ran for an earlier request; otherwise absent.
        var cached: Bool?
        /// The searched frames of an animation, counted from 0.
        var frames: [Int]?
    }

    struct Pass: Encodable {
        /// The size of the detector's input before the rotation, in pixels, and the rotation in degrees clockwise.
        var width: Int
        var height: Int
        var rotation: Int
        /// The minimum size of a detectable face, in pixels of the source.
        var smallestFace: Double
        var found: Int
        var milliseconds: Double
    }

    /// A detection pass as a member of the deprecated `looks`.
    struct Look: Encodable {
        var width: Int
        var height: Int
        /// The rotation of the ``Pass``.
        var turn: Int
        var smallestFace: Double
        var found: Int
        var milliseconds: Double

        init(_ pass: Pass) {
            (width, height, turn) = (pass.width, pass.height, pass.rotation)
            (smallestFace, found, milliseconds) = (pass.smallestFace, pass.found, pass.milliseconds)
        }
    }

    struct Ignored: Encodable {
        var box: PixelRect
        /// The probability that the detection is a face, 0 to 1.
        var confidence: Double
        /// The margin above the detector's threshold; negative below the threshold.
        var score: Double
        var reason: String
    }

    var source: Source
    /// The part of the image that was framed; absent if the whole image was framed.
    var region: PixelRect?
    var crop: PixelRect?
    var crops: [Crop]?
    var faces: [Face]
    /// People, animals and things; absent if the request did not search for any class, if nothing was found, and in
    /// lists of faces.
    var subjects: [Subject]?
    /// Detections that do not count as faces, with their reasons.
    var ignored: [Ignored]
    package var decision: String?
    var focus: FocalPoint?
    var detector: Detector?
    /// The stickers that are not drawn on all faces; absent if all stickers are drawn.
    var omitted: [OmittedDocument]?
    /// The redaction of images; absent without redaction.
    var redaction: RedactionDocument?
    /// The border colour that `chromaKey=auto` made transparent, or `none`; absent without images.
    var chromaKey: String?
    /// The deprecated name of ``chromaKey``.
    var key: String?

    /// Returns the CSS `object-position` of each crop of a plan, in order, such as `50% 33.333%`.
    package static func positions(of plan: FramePlan) -> [String] {
        PlanDocument(plan, crops: true).crops?.map(\.position) ?? []
    }

    /// Creates the plan of a `/frame` request or, with `crops: false`, the list of faces of a `/faces` request.
    package init(_ plan: FramePlan, crops wantsCrops: Bool) {
        source = Source(plan.source)
        region = plan.area == PixelRect(plan.source.size) ? nil : plan.area
        redaction = plan.redaction.map { RedactionDocument($0, plan) }
        chromaKey = plan.borderKey?.word
        key = chromaKey
        let detectorName = plan.detector?.name
        faces = plan.faces.map { face in
            Face(
                box: face.box,
                head: face.head,
                confidence: Self.probability(ofScore: face.confidence),
                score: Self.rounded(face.confidence, to: 10_000),
                foundBy: detectorName.map(face.finders),
                pose: face.pose?.rawValue,
                landmarks: face.landmarks.map(LandmarksDocument.init),
                roll: face.landmarks.map { Self.rounded($0.roll, to: 10) },
                kept: wantsCrops ? plan.keeps(face) : nil,
                frame: face.frame
            )
        }
        detector = plan.detector.map {
            let passes = $0.passes.map(Self.pass)
            return Detector(
                name: $0.name,
                accuracy: $0.accuracy.rawValue,
                milliseconds: Self.milliseconds($0.duration),
                passes: passes,
                looks: passes.map(Look.init),
                cached: $0.isKnown ? true : nil,
                frames: $0.frames
            )
        }
        ignored = plan.ignored.map {
            Ignored(
                box: $0.box,
                confidence: Self.probability(ofScore: $0.confidence),
                score: Self.rounded($0.confidence, to: 10_000),
                reason: $0.reason.rawValue
            )
        }
        guard wantsCrops else { return }
        subjects = plan.subjects.isEmpty ? nil : plan.subjects.map(Subject.init)
        omitted = plan.omittedStickers.isEmpty ? nil : plan.omittedStickers.map(OmittedDocument.init)
        crop = plan.crops.first?.rect
        decision = plan.crops.first?.decision.description
        focus = plan.crops.first.map { FocalPoint(of: $0, in: plan.source.size) }
        let own = plan.turn.upright(plan.area.size)
        crops = plan.crops.map { crop in
            let position = ObjectPosition(of: crop.rect, letterbox: crop.letterbox, in: plan.source.size)
            let content = crop.hasBars ? plan.turn.upright(crop.image, in: crop.output) : nil
            let watermark = crop.mark.map(WatermarkDocument.init)
            return Crop(
                aspect: crop.aspect?.text ?? (plan.fitsHeads ? plan.turn.upright(crop.rect.size) : own).ratio,
                crop: crop.rect,
                unclamped: crop.unclamped,
                output: plan.turn.upright(crop.output),
                contentRect: content,
                picture: content,
                position: "\(Self.percent(position.x)) \(Self.percent(position.y))",
                focus: FocalPoint(of: crop, in: plan.source.size),
                decision: crop.decision.description,
                faces: zip(plan.faces, crop.outcomes).enumerated().map { index, face in
                    FaceOutcome(index + 1, face.1, head: face.0.head, in: crop.rect)
                },
                faceFree: crop.turned == nil ? crop.faceFree.flatMap { FaceFree($0, of: crop, in: plan) } : nil,
                turned: crop.turned.map(TurnedDocument.init),
                path: crop.path,
                placeholder: crop.placeholder.map(PlaceholderDocument.init),
                watermark: watermark,
                mark: watermark.map(MarkDocument.init)
            )
        }
    }

    private static func pass(_ pass: DetectionPass) -> Pass {
        Pass(
            width: pass.workingSize.width,
            height: pass.workingSize.height,
            rotation: pass.turn,
            smallestFace: rounded(pass.smallestFace, to: 10),
            found: pass.found,
            milliseconds: milliseconds(pass.duration)
        )
    }

    private static func milliseconds(_ duration: Duration) -> Double { rounded(duration / .milliseconds(1), to: 100) }

    /// Returns the probability that a detection with this score is a face, in steps of 0.0001.
    fileprivate static func probability(ofScore score: Double) -> Double {
        rounded(DetectionScore.probability(score), to: 10_000)
    }

    static func rounded(_ number: Double, to steps: Double) -> Double { (number * steps).rounded() / steps }

    static func percent(_ number: Double) -> String { "\(plain(number))%" }

    /// Formats a number, without a fraction if it is whole.
    static func plain(_ number: Double) -> String { Int(exactly: number).map { "\($0)" } ?? "\(number)" }
}

extension PixelSize {
    /// The aspect ratio as a value of `aspect`.
    fileprivate var ratio: String { "\(width):\(height)" }
}

/// The rotated rectangle that an output shows, in pixels of the upright image.
struct TurnedDocument: Encodable {
    /// The centre of the rectangle.
    var x: Double
    var y: Double
    /// The sides of the rectangle before its rotation.
    var width: Double
    var height: Double
    /// The rotation in degrees clockwise.
    var roll: Double
    /// True if the output is not rotated because the landmarks of the face are uncertain; otherwise absent.
    var doubtful: Bool?

    init(_ crop: RotatedCrop) {
        func rounded(_ value: Double) -> Double { PlanDocument.rounded(value, to: 10) }
        (x, y) = (rounded(crop.centre.x), rounded(crop.centre.y))
        (width, height) = (rounded(crop.width), rounded(crop.height))
        roll = rounded(crop.roll)
        doubtful = crop.isDoubtful ? true : nil
    }
}

/// The redaction in the images of a plan.
struct RedactionDocument: Encodable {
    /// The value of `redact`.
    var style: String
    /// The numbers of the redacted faces in the plan.
    ///
    /// In images, weaker detections are also redacted.
    var faces: [Int]
    /// The number of covered heads, including heads of weaker detections; absent if only areas are redacted, and for
    /// plans of animations.
    var heads: Int?

    /// The covered detections, whose score may be below the threshold for faces; absent in responses with images.
    var covered: [Head]?
    /// Faces that are still detected in the redacted image; absent in responses with images.
    var remaining: [Head]?

    /// A detection in pixels of the upright source.
    struct Head: Encodable {
        var box: PixelRect
        /// The probability that the detection is a face, 0 to 1.
        var confidence: Double
        /// The margin above the detector's threshold; negative below the threshold.
        var score: Double

        init(_ head: RedactionAudit.Head) {
            box = head.box
            confidence = PlanDocument.probability(ofScore: head.confidence)
            score = PlanDocument.rounded(head.confidence, to: 10_000)
        }
    }

    init(_ redaction: Redaction, _ plan: FramePlan) {
        let (count, audit) = (plan.faces.count, plan.audit)
        style = redaction.style.rawValue
        heads = plan.coveredHeads
        // bounded: a count is not negative
        faces = (0..<count).map { $0 + 1 }.filter(redaction.includes)
        covered = audit?.covered.map(Head.init)
        remaining = audit?.remaining.map(Head.init)
    }
}
