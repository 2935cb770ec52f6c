/// Running jobs, waiting jobs and reserved bytes of a pool.
package struct PoolLoad: Hashable, Sendable {
    package var running = 0
    package var waiting = 0
    /// Bytes that running jobs have reserved in the memory budget.
    package var bytesInFlight = 0

    /// Whether no job runs or waits.
    package var isIdle: Bool { running == 0 && waiting == 0 }

    /// Creates a load with the given numbers.
    package init(running: Int = 0, waiting: Int = 0, bytesInFlight: Int = 0) {
        self.running = running
        self.waiting = waiting
        self.bytesInFlight = bytesInFlight
    }
}
