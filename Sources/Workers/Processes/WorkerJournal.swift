import Logging
import Synchronization

/// Records the ends and restarts of worker processes, in the log and in counters.
final class WorkerJournal: Sendable {
    private let logger: Logger
    private let state = Mutex(ProcessCounters())

    init(_ logger: Logger) { self.logger = logger }

    /// The counters, without the gauges ``ProcessCounters/alive`` and ``ProcessCounters/refusedSources``.
    var counters: ProcessCounters { state.withLock { $0 } }

    /// A process ended, or could not be started.
    func ended(_ end: WorkerEnd, during activity: String) {
        state.withLock { $0.ends[end.cause, default: 0] += 1 }
        logger.error(
            "a worker process ended",
            metadata: ["cause": "\(end.cause.rawValue)", "during": "\(activity)", "reason": "\(end)"]
        )
    }

    /// A process has taken the place of another.
    func restarted() { state.withLock { $0.restarts += 1 } }

    /// A request was refused because its bytes had ended a process.
    func refused() { state.withLock { $0.refusals += 1 } }
}
