import Pipeline
import Requests

/// Why there is no result.
public enum CropError: Error, Hashable, Sendable {
    /// Parameters that are unknown, have values that are not valid, or exclude each other: a sentence for each.
    case invalidOptions([String])
    /// The bytes are a picture of a format, or with a feature, that is not supported.
    case unsupportedPicture(String)
    /// The bytes are no picture, or a damaged one.
    case unreadablePicture(String)
    /// The picture or the result exceeds a limit, or needs too much memory.
    case tooLarge(String)
    /// Too many pictures are waiting; later there may be room.
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
            let problem = Problem(error)
            switch problem.kind {
            case .invalidParameter: self = .invalidOptions([problem.detail])
            case .unsupportedImage: self = .unsupportedPicture(problem.detail)
            case .unreadableImage: self = .unreadablePicture(problem.detail)
            case .tooLarge: self = .tooLarge(problem.detail)
            default: self = .failed(problem.detail)
            }
        }
    }
}

extension CropError: CustomStringConvertible {
    /// One sentence or more for a log or a terminal.
    public var description: String {
        switch self {
        case .invalidOptions(let sentences): sentences.joined(separator: " ")
        case .unsupportedPicture(let sentence), .unreadablePicture(let sentence), .tooLarge(let sentence): sentence
        case .overloaded(let delay): "Too many pictures are waiting; try again in \(delay.components.seconds + 1) s."
        case .failed(let reason): "The picture could not be processed: \(reason)"
        case .cancelled: "The task was cancelled."
        }
    }
}
