import Fetching
import HTTPTypes

extension Problem {
    /// The problem for a stream that ended before its first frame.
    init(_ end: StreamEnd, isUpload: Bool) {
        switch end {
        case .failed(.cancelled), .left, .shutdown:
            self.init(.overloaded, .serviceUnavailable, "The stream was ended; try again later.")
            retryAfter = .seconds(1)
        case .failed(let error): self.init(error)
        case .invalid, .finished, .incomplete, .tooManyBytes:
            let expected = "expected MJPEG: JPEGs one after another, or the parts of multipart/x-mixed-replace."
            self =
                isUpload
                ? Problem(.unreadableImage, .unprocessableContent, "The body has no frame; \(expected)")
                : Problem(.sourceFailed, .badGateway, "The camera sent no frame; \(expected)")
        case .idle, .tooSlow, .tooLong:
            self =
                isUpload
                ? Problem(.invalidRequest, .requestTimeout, "No frame came in time.")
                : Problem(.sourceFailed, .gatewayTimeout, "The camera sent no frame in time.")
        }
    }

    /// The problem for a stream without a place.
    static func tooManyStreams(_ refusal: StreamLimiter.Refusal) -> Problem {
        let detail =
            switch refusal {
            case .all(let limit): "All \(limit) live streams are in use"
            case .address(let limit): "This client has as many live streams as it may have, \(limit)"
            case .credential(let limit): "This key or secret has as many live streams as it may have, \(limit)"
            }
        var problem = Problem(.overloaded, .serviceUnavailable, "\(detail); try again later.")
        problem.retryAfter = .seconds(5)
        return problem
    }

    /// The problem for an upload without a body.
    static let streamWithoutBody = Problem(
        .invalidRequest,
        .badRequest,
        "POST /stream needs a body: MJPEG, sent while it is recorded."
    )

    /// The problem for a signature with a digest, which is known after the body only.
    static let streamWithDigest = Problem(
        .forbidden,
        .forbidden,
        "A stream is not checked against a digest; sign it without."
    )
}
