package import Fetching
import Framing
import Geometry
import HTTPTypes
import Imaging
package import Pipeline

extension Problem {
    /// The problem for a failed job.
    package init(_ error: PipelineError) {
        self =
            switch error {
            case .codec(let error): Problem(error)
            case .backdrop(let error): Problem(error, beginning: "The backdrop: ")
            case .framing(.noFace(let gravity)):
                Problem(
                    .noFace,
                    .unprocessableContent,
                    "gravity=\(Decision(gravity)) found no face, and fallback is error."
                )
            case .framing(.emptyImage): .unreadable("The image has no pixels.")
            case .noSuchFace(let index, let found):
                Problem(.noFace, .notFound, "\(Self.faces(found)) found, so there is no face \(index).")
            case .resultTooLarge(let size, let mostPixels):
                .tooLarge("\(Self.result(size)); at most \(mostPixels) in all are allowed.")
            case .formatTooLarge(let format, let size, let mostPixels):
                .tooLarge("\(Self.result(size)); at most \(mostPixels) in all are allowed in \(format.name).")
            case .portraitsTooLarge(let pixels, let mostPixels):
                .tooLarge(
                    "The pictures of all faces would have \(pixels) pixels; at most \(mostPixels) are allowed. "
                        + "Request a smaller width."
                )
            case .regionOutside(let size):
                Problem(
                    .invalidParameter,
                    .badRequest,
                    "The region begins beyond the picture, which has \(size.width)×\(size.height) pixels."
                )
            case .notLossless(.jpeg):
                .unsupported("The JPEG image is turned or mirrored, and too small to be cut without loss.")
            case .notLossless(let format):
                .unsupported("Only a JPEG image can be cut without loss, and this is a \(format.name) image.")
            case .tooMuchMemory:
                .tooLarge("The image would need more memory than this service may use for one picture.")
            case .tookTooLong(let limit):
                .tooLarge(
                    "The result takes more than \(Int((limit / .seconds(1)).rounded(.up))) s, the most for one picture."
                )
            case .overloaded(let retryAfter):
                .overloaded("Too many requests are waiting already; try again later.", retryAfter)
            case .sourceRefused(let retryAfter):
                .unreadable(
                    "The image caused a failure recently and is refused for "
                        + "\(max(1, Int((retryAfter / .seconds(60)).rounded(.up)))) min."
                )
            case .detector, .workerLost, .cancelled: .unprocessed
            }
        if case .regionOutside = error { cause = .regionOutside }
    }

    private init(_ error: CodecError, beginning: String = "") {
        let detail = beginning + error.description
        self =
            switch error {
            case .unsupportedFormat, .unsupportedFeature: .unsupported(detail)
            case .tooLarge, .tooManyBytes: .tooLarge(detail)
            default: .unreadable(detail)
            }
        if case .tooManyBytes = error { cause = .tooManyBytes }
    }

    private static func faces(_ count: Int) -> String {
        count == 0 ? "No face was" : count == 1 ? "Only 1 face was" : "Only \(count) faces were"
    }

    private static func result(_ size: PixelSize) -> String {
        "The result would have \(size.width)×\(size.height) pixels"
    }
}

extension Problem {
    /// The problem for a failed fetch.
    ///
    /// Blocked addresses, absent sources and names that do not exist have the same problem, so that callers cannot map
    /// a private network. The log has the cause.
    package init(_ error: FetchError) {
        self =
            switch error {
            case .invalidURL(let reason): Problem(.invalidParameter, .badRequest, "The url cannot be used: \(reason)")
            case .blocked, .notFound, .unresolved:
                Problem(.sourceNotFound, .notFound, "No image could be found at that url.")
            case .nameServerFailed: .sourceFailed("The name of the origin could not be looked up.")
            case .unreachable: .sourceFailed("The origin is unreachable.")
            case .refused(let status): .sourceFailed("The origin refused with status \(status).")
            case .storeRefused(let status, _):
                .sourceFailed(
                    "The object store refused with status \(status); expected credentials that may read the object."
                )
            case .originError(508): .fetchLoop
            case .originError(let status): .sourceFailed("The origin failed with status \(status).")
            case .retryLater(let status, let time):
                .sourceFailed(
                    "The origin responded with status \(status), and is not asked again before the time that it named.",
                    retryAfter: time
                )
            case .undecodable(let coding): .sourceFailed("The origin's content encoding cannot be decoded: \(coding).")
            case .invalidResponse: .sourceFailed("The origin did not return a file.")
            case .tooLarge(let limit): .tooLarge("The source has more than the \(limit) bytes that are allowed.")
            case .timeout: .sourceFailed("The origin did not send the image in time.", .gatewayTimeout)
            case .tooManyRedirects(let limit): .sourceFailed("The source redirects more than \(limit) times.")
            case .incomplete: .sourceFailed("The origin closed the connection before the image was complete.")
            case .cancelled: .unprocessed
            case .overBudget:
                .overloaded("The service holds as many sources as its memory allows; try again later.", .seconds(1))
            case .exhausted: .overloaded("No further connections can be opened now; try again later.", .seconds(1))
            case .busy(let delay):
                .overloaded("Too many sources are being fetched already; try again later.", delay, .fetchOverloaded)
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

    private static let unprocessed = Problem(
        .internalError,
        .internalServerError,
        "The picture could not be processed."
    )

    private static func tooLarge(_ detail: String) -> Problem { Problem(.tooLarge, .unprocessableContent, detail) }

    private static func unreadable(_ detail: String) -> Problem {
        Problem(.unreadableImage, .unprocessableContent, detail)
    }

    private static func unsupported(_ detail: String) -> Problem {
        Problem(.unsupportedImage, .unsupportedMediaType, detail)
    }

    private static func sourceFailed(_ detail: String, _ status: HTTPResponse.Status = .badGateway) -> Problem {
        Problem(.sourceFailed, status, detail)
    }

    /// The problem of an origin that must not be requested for a time.
    private static func sourceFailed(_ detail: String, retryAfter: Duration) -> Problem {
        var problem = Problem(.sourceFailed, .serviceUnavailable, detail)
        problem.retryAfter = retryAfter
        return problem
    }

    private static func overloaded(_ detail: String, _ delay: Duration, _ kind: Kind = .overloaded) -> Problem {
        var problem = Problem(kind, .serviceUnavailable, detail)
        problem.retryAfter = delay
        return problem
    }
}
