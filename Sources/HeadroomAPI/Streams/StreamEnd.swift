package import Fetching

/// Why a stream ended.
package enum StreamEnd: Error, Sendable {
    /// The source has ended.
    case finished
    /// The body of the request ended before its end.
    case incomplete
    /// No complete frame arrived for so long.
    case idle(Duration)
    /// Fewer bytes arrived than this many per second.
    case tooSlow(bytesPerSecond: Int)
    /// The stream lasted as long as it may.
    case tooLong(Duration)
    /// The source sent as many bytes as it may.
    case tooManyBytes(Int)
    /// The source sends no MJPEG.
    case invalid(String)
    /// The source could not be fetched.
    case failed(FetchError)
    /// The service stops.
    case shutdown
    /// The client has left.
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

    /// Every ``word``.
    static let words = [
        "finished", "incomplete", "idle", "slow", "time", "bytes", "invalid", "failed", "shutdown", "left",
    ]
}
