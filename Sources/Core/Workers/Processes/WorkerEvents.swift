import Logging
import Synchronization

/// Records the exits and restarts of worker processes, in the log and in counters.
final class WorkerEvents: Sendable {
    private let logger: Logger
    private let state = Mutex(ProcessCounters())

    init(_ logger: Logger) { self.logger = logger }

    /// The counters.
    ///
    /// The gauges ``ProcessCounters/alive`` and ``ProcessCounters/crashQuarantine`` are not set.
    var counters: ProcessCounters { state.withLock { $0 } }

    func ended(_ end: WorkerExit, during activity: String) {
        state.withLock { $0.ends[end.cause, default: 0] += 1 }
        logger.error(
            "a worker process ended",
            metadata: ["cause": "\(end.cause.rawValue)", "during": "\(activity)", "reason": "\(end)"]
        )
    }

    func restarted() { state.withLock { $0.restarts += 1 } }

    /// Records that a request was rejected because its bytes had ended a process.
    func refused() { state.withLock { $0.refusals += 1 } }
}
