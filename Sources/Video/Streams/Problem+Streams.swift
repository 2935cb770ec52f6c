import Fetching
import HTTPTypes
import HeadroomAPI
import Requests

extension Problem {
    /// The problem for a stream that ended before its first frame.
    init(_ end: StreamEnd, isUpload: Bool) {
        switch end {
        case .failed(.cancelled), .left, .shutdown:
            self.init(.overloaded, .serviceUnavailable, "The stream was ended; retry later.")
            retryAfter = .seconds(1)
        case .failed(let error): self.init(error)
        case .invalid, .finished, .incomplete, .tooManyBytes:
            let expected = "expected MJPEG: consecutive JPEGs, or the parts of multipart/x-mixed-replace."
            self =
                isUpload
                ? Problem(.unreadableImage, .unprocessableContent, "The body contains no frame; \(expected)")
                : Problem(.sourceFailed, .badGateway, "The camera sent no frame; \(expected)")
        case .idle, .tooSlow, .tooLong:
            self =
                isUpload
                ? Problem(.invalidRequest, .requestTimeout, "No frame arrived in time.")
                : Problem(.sourceFailed, .gatewayTimeout, "The camera sent no frame in time.")
        }
    }

    /// The problem for a stream beyond a limit on concurrent streams.
    static func tooManyStreams(_ refusal: StreamLimiter.Refusal) -> Problem {
        let detail =
            switch refusal {
            case .all(let limit): "All \(limit) live streams are in use"
            case .address(let limit): "This client has reached its limit of \(limit) live streams"
            case .credential(let limit): "This key or secret has reached its limit of \(limit) live streams"
            }
        var problem = Problem(.overloaded, .serviceUnavailable, "\(detail); retry later.")
        problem.retryAfter = .seconds(5)
        return problem
    }

    /// The problem for an upload without a body.
    static let streamWithoutBody = Problem.badRequest("POST /stream requires a body: MJPEG, sent while it is recorded.")

    /// The problem for a signature with a digest, which can be checked only after the whole body.
    static let streamWithDigest = Problem.forbidden("digest is not allowed for streams; sign the URL without digest.")
}
