import HTTPTypes
import ImageSource

extension Problem {
    /// The problem that a caller is told of when a source could not be fetched.
    ///
    /// Addresses that are off limits look like sources that are not there, and like names that nobody has: the difference
    /// would map a private network to whoever asks. What really happened is in the log.
    init(_ error: FetchError) {
        switch error {
        case .invalidURL(let reason):
            self.init(.invalidParameter, .badRequest, "The url cannot be used: \(reason)")
        case .blocked, .notFound, .unresolved:
            self.init(.sourceNotFound, .notFound, "No image could be found at that url.")
        case .unreachable:
            self.init(.sourceFailed, .badGateway, "The source's server cannot be reached.")
        case .refused(let status):
            self.init(.sourceFailed, .badGateway, "The source's server refused with status \(status).")
        case .originError(508): self = .fetchLoop
        case .originError(let status):
            self.init(.sourceFailed, .badGateway, "The source's server failed with status \(status).")
        case .invalidResponse:
            self.init(.sourceFailed, .badGateway, "The source's server did not answer with a file.")
        case .tooLarge(let limit):
            self.init(.tooLarge, .unprocessableContent, "The source has more than the \(limit) bytes that are allowed.")
        case .timeout:
            self.init(.sourceFailed, .gatewayTimeout, "The source's server did not send the image in time.")
        case .tooManyRedirects(let limit):
            self.init(.sourceFailed, .badGateway, "The source redirects more than \(limit) times.")
        case .incomplete:
            self.init(
                .sourceFailed,
                .badGateway,
                "The source's server closed the connection before the image was complete."
            )
        case .cancelled:
            self.init(.internalError, .internalServerError, "The picture could not be processed.")
        case .busy(let delay):
            self.init(.overloaded, .serviceUnavailable, "Too many sources are being fetched already; try again later.")
            retryAfter = delay
        }
    }
}
