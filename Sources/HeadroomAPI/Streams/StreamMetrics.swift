import Metrics
import Pipeline
import Telemetry

/// The counters of streams.
struct StreamMetrics: Sendable {
    private let frames: [String: Counter]
    private let delay: Metrics.Timer
    private let ends: [String: Counter]

    init(_ registry: PrometheusRegistry) {
        frames = Dictionary(
            uniqueKeysWithValues: ["sent", "dropped", "damaged"].map {
                ($0, registry.counter(HeadroomMetrics.streamFrames, [$0]))
            }
        )
        delay = registry.timer(HeadroomMetrics.streamDelay)
        ends = Dictionary(
            uniqueKeysWithValues: StreamEnd.words.map { ($0, registry.counter(HeadroomMetrics.streamEnds, [$0])) }
        )
    }

    /// Records a frame that is sent.
    func sent(after duration: Duration) {
        frames["sent"]?.increment()
        delay.record(duration: duration)
    }

    /// Records a frame that was too large to wait or to be sent.
    func dropped() { frames["dropped"]?.increment() }

    /// Records a frame that was not sent because of an error.
    ///
    /// - Returns: Whether the frame is at fault.
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

    /// Records the end of a stream, and the frames that were not taken.
    func ended(_ end: StreamEnd?, dropped: Int, damaged: Int) {
        frames["dropped"]?.increment(by: dropped)
        frames["damaged"]?.increment(by: damaged)
        ends[(end ?? .left).word]?.increment()
    }
}
