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
