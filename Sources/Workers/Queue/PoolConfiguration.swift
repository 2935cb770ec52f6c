/// How many jobs run at once, how many may wait, and how much memory they share.
package struct PoolConfiguration: Sendable {
    /// Jobs that run at the same time.
    package var workers: Int
    /// Jobs that may wait; the next one is refused.
    package var queueLimit: Int
    /// Bytes that the running jobs may need together.
    ///
    /// A job that needs more than this alone is refused.
    package var maxBytesInFlight: Int

    /// Limits as given.
    package init(workers: Int, queueLimit: Int, maxBytesInFlight: Int) {
        self.workers = workers
        self.queueLimit = queueLimit
        self.maxBytesInFlight = maxBytesInFlight
    }
}

/// How busy a pool is.
package struct PoolLoad: Hashable, Sendable {
    /// Jobs running.
    package var running = 0
    /// Jobs waiting.
    package var waiting = 0
    /// Bytes that running jobs have taken of the memory budget.
    package var bytesInFlight = 0

    /// Whether there is nothing to do.
    package var isIdle: Bool { running == 0 && waiting == 0 }

    /// Nothing running and nothing waiting, or as given.
    package init(running: Int = 0, waiting: Int = 0, bytesInFlight: Int = 0) {
        self.running = running
        self.waiting = waiting
        self.bytesInFlight = bytesInFlight
    }
}
