package import Fetching
import HTTPTypes
import Pipeline

extension Problem {
    /// Creates the problem for a failed fetch.
    ///
    /// Blocked URLs, missing sources and names that do not exist have the same problem, so that callers cannot explore
    /// a private network. The log contains the cause.
    package init(_ error: FetchError) {
        self =
            switch error {
            case .invalidURL(let reason): Problem(.invalidParameter, .badRequest, "url is not valid: \(reason)")
            case .blocked, .notFound, .unresolved:
                Problem(.sourceNotFound, .notFound, "No image found at this URL.")
            case .nameServerFailed: .sourceFailed("The origin's host name could not be resolved.")
            case .unreachable(_, let obstacle): .sourceFailed(obstacle.sentence)
            case .refused(let status): .sourceFailed("The origin rejected the request with status \(status).")
            case .storeRefused(let status, _):
                .sourceFailed(
                    "The object store rejected the request with status \(status); expected credentials with read access to the object."
                )
            case .originError(508): .fetchLoop
            case .originError(let status): .sourceFailed("The origin failed with status \(status).")
            case .retryLater(let status, let time):
                .sourceFailed(
                    "The origin responded with \(status) and Retry-After; Headroom will not contact it before then.",
                    retryAfter: time
                )
            case .undecodable(let coding): .sourceFailed("The origin's content encoding cannot be decoded: \(coding).")
            case .invalidResponse: .sourceFailed("The origin did not return a file.")
            case .tooLarge(let limit): .tooLarge("The source exceeds the limit of \(limit) bytes.")
            case .timeout: .sourceFailed("The origin did not send the image in time.", .gatewayTimeout)
            case .tooManyRedirects(let limit): .sourceFailed("The source redirects more than \(limit) times.")
            case .incomplete: .sourceFailed("The origin closed the connection before the image was complete.")
            case .cancelled: Problem(PipelineError.cancelled)
            case .overBudget:
                .overloaded("The memory limit for sources is reached; retry later.", .seconds(1))
            case .exhausted: .overloaded("The service cannot open more connections now; retry later.", .seconds(1))
            case .busy(let delay):
                .overloaded("Too many sources are being fetched; retry later.", delay, .fetchOverloaded)
            }
    }
}

extension FetchError.Obstacle {
    /// A sentence for the caller, which does not distinguish the causes of a failed TCP connection.
    fileprivate var sentence: String {
        switch self {
        case .connection: "The origin is unreachable."
        case .handshake: "The TLS handshake with the origin failed: expected an https server with TLS 1.2 or 1.3."
        case .plainServer: "The origin does not use TLS on this port: expected an https server, or a url with http://."
        case .certificate:
            "The origin's TLS certificate is not valid: expected a certificate of a trusted authority that has not expired "
                + "and contains the host of url."
        }
    }
}

extension Problem {
    /// The problem for a request that a Headroom service sent to fetch an image, directly or through other services.
    package static let fetchLoop = Problem(
        .loopDetected,
        .init(code: 508, reasonPhrase: "Loop Detected"),
        "The url leads back to this service."
    )

    private static func tooLarge(_ detail: String) -> Problem { Problem(.tooLarge, .unprocessableContent, detail) }

    private static func sourceFailed(_ detail: String, _ status: HTTPResponse.Status = .badGateway) -> Problem {
        Problem(.sourceFailed, status, detail)
    }

    /// Returns the problem for an origin in back-off.
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
