import Framing
import Imaging
import FaceDetection
public import Geometry
import Pipeline
import Requests

/// The outcome for one aspect ratio.
public enum CropResult: Sendable {
    /// The requested crop.
    case cropped(Crop)
    /// Neither a face nor a subject was found for a crop that depends on them.
    ///
    /// `fallback` determines the crop, by default the area with the most detail; nil with `fallback=error`. Without
    /// faces, a crop around people, animals or things is ``cropped(_:)``, and its ``PlannedCrop/decision`` is
    /// `subject`.
    case noFace(Crop?)

    /// The crop in either case.
    public var crop: Crop? {
        switch self {
        case .cropped(let crop): crop
        case .noFace(let crop): crop
        }
    }
}

/// The faces and subjects of an image, and the positions of its crops.
public struct CropPlan: Sendable {
    /// The size of the upright image.
    public let size: PixelSize
    /// The faces, the largest first.
    public let faces: [FoundFace]
    /// People, animals and things, the highest score first; empty if the search found nothing or did not run.
    ///
    /// It runs if no face is certain, and for `gravity=subject` and `gravity=object:…`.
    public let subjects: [FoundSubject]
    /// The crops, in the order of the aspect ratios.
    public let crops: [PlannedCrop]
    /// The plan as JSON in UTF-8, the response of the service for `format=json`.
    public let json: [UInt8]

    init(_ plan: FramePlan) {
        size = plan.source.size
        faces = plan.faces.map(FoundFace.init)
        subjects = plan.subjects.map(FoundSubject.init)
        crops = plan.crops.indices.map { PlannedCrop(plan, $0) }
        json = JSONDocument.bytes(of: PlanDocument(plan, crops: true))
    }
}

/// The position of a crop.
public struct PlannedCrop: Sendable {
    /// The rectangle, in pixels of the upright image.
    public let rect: PixelRect
    /// The size of the output in pixels.
    public let size: PixelSize
    /// The rule that determined the crop, such as `faces`, `subject` or `fallback:attention`.
    public let decision: String
    /// Whether it is the fallback crop, because neither a face nor a subject was found.
    public let isFallback: Bool
    /// For each face of the plan, whether the whole head is inside the crop.
    public let keepsFaces: [Bool]

    init(_ plan: FramePlan, _ index: Int) {
        let crop = plan.crops[index]
        rect = crop.rect
        size = plan.turn.upright(crop.output)
        decision = crop.decision.description
        isFallback = if case .fallback = crop.decision { true } else { false }
        keepsFaces = plan.faces.map { crop.rect.contains($0.head) }
    }
}

/// A face in an image.
public struct FoundFace: Sendable {
    /// The face, in pixels of the upright image.
    public let box: PixelRect
    /// The head with its hair.
    public let head: PixelRect
    /// The probability that it is a face, 0 to 1.
    public let confidence: Double
    /// The detector's score: its margin above the usual threshold.
    public let score: Double

    init(_ face: Face) {
        box = face.box
        head = face.head
        confidence = DetectionScore.probability(face.confidence)
        score = face.confidence
    }
}

/// A person, an animal or a thing in an image.
public struct FoundSubject: Sendable {
    /// The class, such as `person`, `dog` or `traffic-light`: the names of `gravity=object:…`.
    public let name: String
    /// The probability of the class, 0 to 1; a subject below 0.3 does not place a crop.
    public let score: Double
    /// The subject, in pixels of the upright image.
    public let box: PixelRect
    /// The estimated head of a person or an animal; nil for a thing.
    public let head: PixelRect?

    init(_ subject: PlannedSubject) {
        name = subject.kind.word
        score = subject.score
        box = subject.box
        head = subject.head
    }
}

/// The reasons why there is no result.
public enum CropError: Error, Hashable, Sendable {
    /// Parameters that are unknown, invalid or mutually exclusive, with a sentence for each.
    case invalidOptions([String])
    /// The format of the image, or a feature that it uses, is not supported.
    case unsupportedImage(String)
    /// The bytes are not an image, or are too damaged to be decoded.
    case unreadableImage(String)
    /// The image or the output exceeds a limit, or needs too much memory.
    case tooLarge(String)
    /// Too many images are waiting, or this image is rejected temporarily because it recently crashed a worker.
    case overloaded(retryAfter: Duration)
    /// A worker could not be started, or failed.
    case failed(String)
    /// The task was cancelled.
    case cancelled

    init(_ errors: ParameterErrors) { self = .invalidOptions(errors.all.map(\.sentence)) }

    init(_ error: PipelineError) {
        switch error {
        case .cancelled: self = .cancelled
        case .overloaded(let delay), .sourceRefused(let delay): self = .overloaded(retryAfter: delay)
        case .detector(let reason), .workerLost(let reason): self = .failed(reason)
        default:
            let failure = JobFailure(error)
            switch failure.kind {
            case .invalidParameter: self = .invalidOptions([failure.detail])
            case .unsupportedImage, .stillImage: self = .unsupportedImage(failure.detail)
            case .unreadableImage: self = .unreadableImage(failure.detail)
            case .tooLarge: self = .tooLarge(failure.detail)
            case .noFace, .noSuchFace, .overloaded, .internalError: self = .failed(failure.detail)
            }
        }
    }
}

extension CropError: CustomStringConvertible {
    /// One sentence or more for a log or a terminal.
    public var description: String {
        switch self {
        case .invalidOptions(let sentences): sentences.joined(separator: " ")
        case .unsupportedImage(let sentence), .unreadableImage(let sentence), .tooLarge(let sentence): sentence
        case .overloaded(let delay):
            "Too many images are waiting, or this image crashed a worker; retry in \(delay.components.seconds + 1) s."
        case .failed(let reason): "The image could not be processed: \(reason)"
        case .cancelled: "The task was cancelled."
        }
    }
}
