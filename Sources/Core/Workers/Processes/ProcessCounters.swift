/// Statistics of worker processes since the start.
package struct ProcessCounters: Hashable, Sendable {
    /// The number of processes that can run a job now.
    package var alive = 0
    /// The number of processes that replaced an ended process.
    package var restarts = 0
    /// The number of processes that exited or were killed, by cause, including failed starts.
    package var ends: [WorkerExit.Cause: Int] = [:]
    /// The number of requests that were rejected because their bytes had ended a process.
    package var refusals = 0
    package var crashQuarantine = 0
}
