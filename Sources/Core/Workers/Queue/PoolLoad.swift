/// The numbers of running jobs, waiting jobs and reserved bytes of a pool.
package struct PoolLoad: Hashable, Sendable {
    package var running = 0
    package var waiting = 0
    /// The number of bytes that running jobs have reserved in the memory budget.
    package var bytesInFlight = 0

    /// Whether no job is running or waiting.
    package var isIdle: Bool { running == 0 && waiting == 0 }

    /// Creates a load with the given numbers.
    package init(running: Int = 0, waiting: Int = 0, bytesInFlight: Int = 0) {
        self.running = running
        self.waiting = waiting
        self.bytesInFlight = bytesInFlight
    }
}
