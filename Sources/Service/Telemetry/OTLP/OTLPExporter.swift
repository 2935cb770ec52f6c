import Dispatch
package import Logging
import Synchronization

/// Sends spans and metrics to a collector in the background.
///
/// Requests only add spans to a bounded queue. One thread encodes and sends the spans in batches. If the collector
/// temporarily rejects a batch, the batch is sent again, with at most ``maxAttempts`` attempts in total, while the
/// queue fills up. Spans beyond the limit of the queue are dropped and counted.
package final class OTLPExporter: Sendable {
    /// A request to a collector.
    package struct Message: Sendable {
        /// The destination and its header fields.
        package let endpoint: OTLPSettings.Endpoint
        package let contentType: String
        package let body: [UInt8]
        package let timeout: Duration
    }

    /// The response of a collector, with status and body, or the reason why there is no response.
    package enum Reply: Sendable {
        case status(Int, body: [UInt8])
        case failed(String)
    }

    /// Sends a message.
    ///
    /// Blocks no longer than its time limit.
    package typealias Send = @Sendable (Message) -> Reply

    /// Counters since the process started.
    package struct Statistics: Hashable, Sendable {
        /// The number of spans that a collector has accepted.
        package var spans = 0
        /// The number of spans that were dropped because the queue was full or exports failed.
        package var droppedSpans = 0
        package var waitingSpans = 0
        /// The numbers of successful and failed exports, for the signals `traces` and `metrics`.
        package var exports: [Export: Int] = [:]
    }

    /// The outcome of an export.
    package struct Export: Hashable, Sendable {
        /// `traces` or `metrics`.
        package let signal: String
        package let isTaken: Bool

        /// Creates the outcome of exports for a signal.
        ///
        /// - Parameters:
        ///   - signal: `traces` or `metrics`.
        ///   - isTaken: Whether the collector accepted them.
        package init(signal: String, isTaken: Bool) {
            self.signal = signal
            self.isTaken = isTaken
        }
    }

    private struct State {
        /// The batch that is being sent.
        ///
        /// It is retained until it is accepted or dropped.
        var batch: [Span] = []
        var attempts = 0
        var retryAt = ContinuousClock.now
        var spans = 0
        var exports: [Export: Int] = [:]
        /// Whether an early export has been requested.
        var isDue = false
        var isStopping = false
        /// The signals whose failure has been logged.
        var reported: Set<String> = []
    }

    /// Unchecked because Dispatch sources can be used from any thread.
    private struct Timers: @unchecked Sendable {
        var all: [any DispatchSourceTimer] = []
    }

    /// Maximum number of attempts to send a batch.
    package static let maxAttempts = 4
    /// The pause before the second attempt.
    ///
    /// It doubles before each further attempt.
    private static let firstPause = Duration.seconds(1)

    /// The rule that selects the traces to export.
    package let sampler: OTLPSettings.Sampler
    package var takesSpans: Bool { settings.traces != nil }

    private let settings: OTLPSettings
    private let registry: PrometheusRegistry
    private let send: Send
    private let logger: Logger
    private let start = UnixNanoseconds.now
    private let spans: SpanQueue
    private let state = Mutex(State())
    private let thread = DispatchQueue(label: "headroom.otlp", qos: .utility)
    private let timers = Mutex(Timers())

    /// Creates an exporter.
    ///
    /// It sends nothing before ``run()``.
    ///
    /// - Parameters:
    ///   - settings: The destinations and limits.
    ///   - registry: The metrics to export.
    ///   - logger: Receives one line when exports fail and one line when they succeed again.
    ///   - send: Sends a message. It is called on one thread, and may block this thread.
    package init(_ settings: OTLPSettings, registry: PrometheusRegistry, logger: Logger, send: @escaping Send) {
        self.settings = settings
        self.registry = registry
        self.logger = logger
        self.send = send
        sampler = settings.sampler
        spans = SpanQueue(limit: settings.queueLimit)
    }

    /// Starts periodic exports, which end with ``stop(within:)``.
    package func run() {
        var timers = Timers()
        func every(_ interval: Duration, _ action: @escaping @Sendable () -> Void) {
            let timer = DispatchSource.makeTimerSource(queue: thread)
            let interval = DispatchTimeInterval.milliseconds(Int(interval / .milliseconds(1)))
            timer.schedule(deadline: .now() + interval, repeating: interval)
            timer.setEventHandler(handler: action)
            timer.activate()
            timers.all.append(timer)
        }
        if settings.traces != nil { every(settings.spanInterval) { [weak self] in self?.exportSpans() } }
        if settings.metrics != nil { every(settings.metricInterval) { [weak self] in self?.exportMetrics() } }
        let made = timers
        self.timers.withLock { $0 = made }
    }

    /// Adds the spans of a request and returns immediately.
    package func add(_ new: [Span]) {
        let count = spans.add(new)
        // Exports early, before the queue is full.
        guard count >= settings.queueLimit / 2 else { return }
        let isNews = state.withLock { state in
            defer { state.isDue = true }
            return !state.isDue
        }
        if isNews { thread.async { [weak self] in self?.exportSpans() } }
    }

    /// Exports all waiting spans and the metrics, without retries, and stops.
    ///
    /// Blocks no longer than the time limit.
    package func stop(within limit: Duration) {
        for timer in timers.withLock({ $0 }).all { timer.cancel() }
        state.withLock { $0.isStopping = true }
        let done = DispatchSemaphore(value: 0)
        let end = ContinuousClock.now + limit
        thread.async { [self] in
            exportSpans(until: end)
            if .now < end { exportMetrics() }
            done.signal()
        }
        _ = done.wait(timeout: .now() + .milliseconds(Int(limit / .milliseconds(1))))
    }

    /// Counters since the process started.
    package var statistics: Statistics {
        let state = state.withLock(\.self)
        return Statistics(
            spans: state.spans,
            droppedSpans: spans.dropped,
            waitingSpans: spans.count + state.batch.count,
            exports: state.exports
        )
    }

    // MARK: Exports

    /// Sends all waiting spans.
    ///
    /// Stops if the collector temporarily rejects spans, or at `end`.
    package func exportSpans(until end: ContinuousClock.Instant? = nil) {
        state.withLock { $0.isDue = false }
        guard let endpoint = settings.traces else { return }
        while true {
            if let end, .now >= end { return }
            let (batch, isDue) = state.withLock { state in
                if state.batch.isEmpty {
                    state.batch = spans.take(atMost: settings.batchLimit)
                    state.attempts = 0
                    state.retryAt = .now
                }
                return (state.batch, state.isStopping || state.retryAt <= .now)
            }
            guard !batch.isEmpty, isDue else { return }
            let body = OTLPDocument.bytes(of: batch, settings.resource)
            let outcome = export(body, to: endpoint, "traces", until: end)
            guard finish(batch, outcome) else { return }
        }
    }

    /// The outcome of one request, which determines the next step.
    private enum Outcome {
        case taken(body: [UInt8])
        /// A later attempt may succeed.
        case delayed
        case refused
    }

    /// Records the outcome of a batch.
    ///
    /// Returns whether the next batch can be sent.
    private func finish(_ batch: [Span], _ outcome: Outcome) -> Bool {
        state.withLock { state in
            switch outcome {
            case .taken(let body):
                let rejected = min(batch.count, OTLPDocument.rejectedSpans(in: body))
                state.spans += batch.count - rejected
                spans.drop(rejected)
                state.batch = []
                return true
            case .refused:
                spans.drop(batch.count)
                state.batch = []
                return true
            case .delayed:
                state.attempts += 1
                state.retryAt = .now + Self.firstPause * (1 << (state.attempts - 1))
                if state.isStopping || state.attempts >= Self.maxAttempts {
                    spans.drop(batch.count)
                    state.batch = []
                }
                return false
            }
        }
    }

    /// Sends the current values of all metrics.
    ///
    /// There are no retries, because the next export contains the values too.
    package func exportMetrics() {
        guard let endpoint = settings.metrics else { return }
        let families = registry.families()
        let body = OTLPDocument.bytes(of: families, settings.resource, start: start, now: UnixNanoseconds.now)
        _ = export(body, to: endpoint, "metrics", until: nil)
    }

    private func export(
        _ body: [UInt8],
        to endpoint: OTLPSettings.Endpoint,
        _ signal: String,
        until end: ContinuousClock.Instant?
    ) -> Outcome {
        let timeout = end.map { max(.milliseconds(10), min(endpoint.timeout, $0 - .now)) } ?? endpoint.timeout
        let type = OTLPDocument.contentType
        let message = Message(endpoint: endpoint, contentType: type, body: body, timeout: timeout)
        let (outcome, failure): (Outcome, String?) =
            switch send(message) {
            case .status(200...299, let body): (.taken(body: body), nil)
            // https://opentelemetry.io/docs/specs/otlp/#retryable-response-codes
            case .status(let status, _) where [429, 502, 503, 504].contains(status): (.delayed, "status \(status)")
            case .status(let status, _): (.refused, "status \(status)")
            case .failed(let reason): (.delayed, reason)
            }
        let isNews = state.withLock { state in
            state.exports[Export(signal: signal, isTaken: failure == nil), default: 0] += 1
            if failure == nil { return state.reported.remove(signal) != nil }
            return state.reported.insert(signal).inserted
        }
        if isNews, let failure {
            let metadata: Logger.Metadata = ["signal": "\(signal)", "reason": "\(failure)"]
            logger.warning("traces or metrics are not exported", metadata: metadata)
        } else if isNews {
            logger.notice("traces and metrics are exported again", metadata: ["signal": "\(signal)"])
        }
        return outcome
    }
}
