import Framing
import HTTPTypes
import Imaging
package import Pipeline
import Requests

extension Problem {
    /// Creates the problem for a failed job.
    package init(_ error: PipelineError) {
        let failure = JobFailure(error)
        let (kind, status): (Kind, HTTPResponse.Status) =
            switch failure.kind {
            case .invalidParameter: (.invalidParameter, .badRequest)
            case .unsupportedImage: (.unsupportedImage, .unsupportedMediaType)
            case .stillImage: (.unsupportedImage, .unprocessableContent)
            case .unreadableImage: (.unreadableImage, .unprocessableContent)
            case .tooLarge: (.tooLarge, .unprocessableContent)
            case .noFace: (.noFace, .unprocessableContent)
            case .noSuchFace: (.noFace, .notFound)
            case .overloaded: (.overloaded, .serviceUnavailable)
            case .internalError: (.internalError, .internalServerError)
            }
        self.init(kind, status, failure.detail)
        switch error {
        case .regionOutside: cause = .regionOutside
        case .noVideo(.still): cause = .stillImage
        case .codec(.tooManyBytes), .backdrop(.tooManyBytes): cause = .tooManyBytes
        case .codec(.unsupportedFormat), .codec(.unsupportedFeature), .codec(.corrupt), .codec(.truncated),
            .framing(.emptyImage), .sourceRefused:
            cause = .brokenSource
        default: break
        }
        switch error {
        case .overloaded(let delay): retryAfter = delay
        case .sourceRefused, .tookTooLong, .tooMuchMemory: isTemporary = true
        default: break
        }
    }
}
