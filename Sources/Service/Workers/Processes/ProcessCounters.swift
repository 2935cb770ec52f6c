/// Statistics of worker processes since the start.
package struct ProcessCounters: Hashable, Sendable {
    /// Processes that could run a job now.
    package var alive = 0
    /// Processes that replaced an ended process.
    package var restarts = 0
    /// Processes that exited or were killed, by cause; includes failed starts.
    package var ends: [WorkerExit.Cause: Int] = [:]
    /// Requests that were rejected because their bytes had ended a process.
    package var refusals = 0
    package var crashQuarantine = 0
}
