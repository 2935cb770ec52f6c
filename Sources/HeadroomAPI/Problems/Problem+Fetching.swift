package import Fetching
import HTTPTypes

extension Problem {
    /// The problem for a failed fetch.
    ///
    /// Blocked addresses, absent sources and names that do not exist have the same problem, so that callers cannot map a
    /// private network. The log has the cause.
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
