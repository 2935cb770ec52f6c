package import Fetching
import Framing
import Geometry
import HTTPTypes
import Imaging
package import Pipeline

extension Problem {
    /// The problem for a failed job.
    package init(_ error: PipelineError) {
        switch error {
        case .codec(let error):
            self.init(error)
        case .backdrop(let error):
            self.init(error)
            detail = "The backdrop: \(detail)"
        case .framing(.noFace(let gravity)):
            self.init(
                .noFace,
                .unprocessableContent,
                "gravity=\(Decision(gravity)) found no face, and fallback is error."
            )
        case .framing(.emptyImage):
            self.init(.unreadableImage, .unprocessableContent, "The image has no pixels.")
        case .noSuchFace(let index, let found):
            let faces = found == 0 ? "No face was" : found == 1 ? "Only 1 face was" : "Only \(found) faces were"
            self.init(.noFace, .notFound, "\(faces) found, so there is no face \(index).")
        case .resultTooLarge(let size, let mostPixels):
            self.init(
                .tooLarge,
                .unprocessableContent,
                "The result would have \(size.width)×\(size.height) pixels; at most \(mostPixels) in all are allowed."
            )
        case .formatTooLarge(let format, let size, let mostPixels):
            self.init(
                .tooLarge,
                .unprocessableContent,
                "The result would have \(size.width)×\(size.height) pixels; at most \(mostPixels) in all are allowed in \(format.name)."
            )
        case .portraitsTooLarge(let pixels, let mostPixels):
            self.init(
                .tooLarge,
                .unprocessableContent,
                "The pictures of all faces would have \(pixels) pixels; at most \(mostPixels) are allowed. Request a smaller width."
            )
        case .regionOutside(let size):
            self.init(
                .invalidParameter,
                .badRequest,
                "The region begins beyond the picture, which has \(size.width)×\(size.height) pixels."
            )
        case .notLossless(.jpeg):
            self.init(
                .unsupportedImage,
                .unsupportedMediaType,
                "The JPEG image is turned or mirrored, and too small to be cut without loss."
            )
        case .notLossless(let format):
            self.init(
                .unsupportedImage,
                .unsupportedMediaType,
                "Only a JPEG image can be cut without loss, and this is a \(format.name) image."
            )
        case .tooMuchMemory:
            self.init(
                .tooLarge,
                .unprocessableContent,
                "The image would need more memory than this service may use for one picture."
            )
        case .tookTooLong(let limit):
            self.init(
                .tooLarge,
                .unprocessableContent,
                "The result takes more than \(Int((limit / .seconds(1)).rounded(.up))) s, the most for one picture."
            )
        case .overloaded(let retryAfter):
            self.init(.overloaded, .serviceUnavailable, "Too many requests are waiting already; try again later.")
            self.retryAfter = retryAfter
        case .sourceRefused(let retryAfter):
            let minutes = max(1, Int((retryAfter / .seconds(60)).rounded(.up)))
            self.init(
                .unreadableImage,
                .unprocessableContent,
                "The image caused a failure recently and is refused for \(minutes) min."
            )
        case .detector, .workerLost, .cancelled:
            self.init(.internalError, .internalServerError, "The picture could not be processed.")
        }
    }

    private init(_ error: CodecError) {
        switch error {
        case .unsupportedFormat, .unsupportedFeature:
            self.init(.unsupportedImage, .unsupportedMediaType, error.description)
        case .tooLarge, .tooManyBytes:
            self.init(.tooLarge, .unprocessableContent, error.description)
        default:
            self.init(.unreadableImage, .unprocessableContent, error.description)
        }
    }
}

extension Problem {
    /// The problem for a failed fetch.
    ///
    /// Blocked addresses, absent sources and names that do not exist have the same problem, so that callers cannot map
    /// a private network. The log has the cause.
    package init(_ error: FetchError) {
        switch error {
        case .invalidURL(let reason):
            self.init(.invalidParameter, .badRequest, "The url cannot be used: \(reason)")
        case .blocked, .notFound, .unresolved:
            self.init(.sourceNotFound, .notFound, "No image could be found at that url.")
        case .nameServerFailed:
            self.init(.sourceFailed, .badGateway, "The name of the origin could not be looked up.")
        case .unreachable:
            self.init(.sourceFailed, .badGateway, "The origin is unreachable.")
        case .refused(let status):
            self.init(.sourceFailed, .badGateway, "The origin refused with status \(status).")
        case .storeRefused(let status, _):
            self.init(
                .sourceFailed,
                .badGateway,
                "The object store refused with status \(status); expected credentials that may read the object."
            )
        case .originError(508): self = .fetchLoop
        case .originError(let status):
            self.init(.sourceFailed, .badGateway, "The origin failed with status \(status).")
        case .invalidResponse:
            self.init(.sourceFailed, .badGateway, "The origin did not return a file.")
        case .tooLarge(let limit):
            self.init(.tooLarge, .unprocessableContent, "The source has more than the \(limit) bytes that are allowed.")
        case .timeout:
            self.init(.sourceFailed, .gatewayTimeout, "The origin did not send the image in time.")
        case .tooManyRedirects(let limit):
            self.init(.sourceFailed, .badGateway, "The source redirects more than \(limit) times.")
        case .incomplete:
            self.init(
                .sourceFailed,
                .badGateway,
                "The origin closed the connection before the image was complete."
            )
        case .cancelled:
            self.init(.internalError, .internalServerError, "The picture could not be processed.")
        case .overBudget:
            self.init(
                .overloaded,
                .serviceUnavailable,
                "The service holds as many sources as its memory allows; try again later."
            )
            retryAfter = .seconds(1)
        case .exhausted:
            self.init(.overloaded, .serviceUnavailable, "No further connections can be opened now; try again later.")
            retryAfter = .seconds(1)
        case .busy(let delay):
            self.init(
                .fetchOverloaded,
                .serviceUnavailable,
                "Too many sources are being fetched already; try again later."
            )
            retryAfter = delay
        }
    }
}

extension Problem {
    /// The problem for a request that a Headroom service sent to fetch a picture, directly or through others.
    package static let fetchLoop = Problem(
        .loopDetected,
        .init(code: 508, reasonPhrase: "Loop Detected"),
        "The url leads back to this service."
    )
}
