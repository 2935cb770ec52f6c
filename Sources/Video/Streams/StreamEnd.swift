package import Fetching
import HTTPTypes
import HeadroomAPI
import Requests

/// The reason why a stream ended.
package enum StreamEnd: Error, Sendable {
    case finished
    /// The body of the request was incomplete.
    case incomplete
    /// No complete frame arrived for the given time.
    case idle(Duration)
    /// Fewer bytes arrived than this many per second.
    case tooSlow(bytesPerSecond: Int)
    /// The stream reached the given time limit.
    case tooLong(Duration)
    /// The source sent more than the given number of bytes.
    case tooManyBytes(Int)
    /// The source does not send MJPEG, or its frames cannot be processed; with the reason.
    case invalid(String)
    case failed(FetchError)
    case shutdown
    case left

    /// The reason in metrics and logs.
    package var word: String {
        switch self {
        case .finished: "finished"
        case .incomplete: "incomplete"
        case .idle: "idle"
        case .tooSlow: "slow"
        case .tooLong: "time"
        case .tooManyBytes: "bytes"
        case .invalid: "invalid"
        case .failed: "failed"
        case .shutdown: "shutdown"
        case .left: "left"
        }
    }

    static let words = [
        "finished", "incomplete", "idle", "slow", "time", "bytes", "invalid", "failed", "shutdown", "left",
    ]
}

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
