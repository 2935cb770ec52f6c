import HeadroomAPI
import Metrics
import Pipeline
import Telemetry

struct StreamMetrics: Sendable {
    private let frames: [String: Counter]
    private let delay: Metrics.Timer
    private let ends: [String: Counter]

    init(_ registry: PrometheusRegistry) {
        frames = registry.counters(
            "headroom_stream_frames_total",
            by: "outcome",
            ["sent", "dropped", "damaged"],
            help:
                "Frames of live streams: sent, dropped because a newer frame arrived or no worker was free, or damaged."
        )
        delay = registry.timer(
            registry.declare(
                MetricDescription(
                    "headroom_stream_delay_seconds",
                    .histogram(bounds: ServiceMetrics.durationBounds),
                    help: "Time from the arrival of a frame to its departure, in seconds."
                )
            )
        )
        ends = registry.counters(
            "headroom_stream_ends_total",
            by: "reason",
            StreamEnd.words,
            help: "Live streams that ended, by reason."
        )
    }

    /// The metrics whose values the stream limiter supplies.
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
