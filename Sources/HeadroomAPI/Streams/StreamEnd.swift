package import Fetching
import HTTPTypes
import Metrics
import Pipeline
import Requests
import Telemetry

/// The reason why a stream ended.
package enum StreamEnd: Error, Sendable {
    case finished
    /// The body of the request ended before its end.
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

    /// The problem for a stream beyond a limit on concurrent streams.
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
    static let streamWithoutBody = Problem.badRequest("POST /stream needs a body: MJPEG, sent while it is recorded.")

    /// The problem for a signature with a digest, which can be checked only after the whole body.
    static let streamWithDigest = Problem.forbidden("A stream is not checked against a digest; sign it without.")
}

struct StreamMetrics: Sendable {
    private let frames: [String: Counter]
    private let delay: Metrics.Timer
    private let ends: [String: Counter]

    init(_ registry: PrometheusRegistry) {
        frames = registry.counters(
            "headroom_stream_frames_total",
            by: "outcome",
            ["sent", "dropped", "damaged"],
            help: "Frames of live streams: sent, dropped because newer ones came or no worker was free, or damaged."
        )
        delay = registry.timer(
            registry.declare(
                "headroom_stream_delay_seconds",
                .histogram(bounds: ServiceMetrics.durationBounds),
                help: "Time from the arrival of a frame to its departure, in seconds."
            )
        )
        ends = registry.counters(
            "headroom_stream_ends_total",
            by: "reason",
            StreamEnd.words,
            help: "Live streams that ended, by reason."
        )
    }

    /// The metrics that are read from the stream limiter.
    static let places: [ReadMetric<StreamLimiter>] = [
        .gauge("headroom_streams", help: "Live streams in progress.") { $0.taken }
    ]

    func sent(after duration: Duration) {
        frames["sent"]?.increment()
        delay.record(duration: duration)
    }

    /// Records a frame that was too large to wait or to be sent.
    func dropped() { frames["dropped"]?.increment() }

    /// Records a frame that was not sent because of an error.
    ///
    /// - Returns: Whether the frame caused the error.
    func failed(_ error: PipelineError) -> Bool {
        switch error {
        case .overloaded, .cancelled, .tooMuchMemory:
            frames["dropped"]?.increment()
            return false
        default:
            frames["damaged"]?.increment()
            return true
        }
    }

    /// Records the end of a stream, with the numbers of its dropped and damaged frames.
    func ended(_ end: StreamEnd?, dropped: Int, damaged: Int) {
        frames["dropped"]?.increment(by: dropped)
        frames["damaged"]?.increment(by: damaged)
        ends[(end ?? .left).word]?.increment()
    }
}
