/// How many jobs run at once, how many may wait, and how much memory they share.
package struct PoolConfiguration: Sendable {
    /// Jobs that run at the same time.
    package var workers: Int
    /// Jobs that may wait; the next one is refused.
    package var queueLimit: Int
    /// Maximum memory of all running jobs together, in bytes; a single job that needs more is refused.
    package var maxBytesInFlight: Int

    /// Limits of a pool.
    ///
    /// - Parameters:
    ///   - workers: Jobs that run at the same time.
    ///   - queueLimit: Jobs that may wait; the next one is refused.
    ///   - maxBytesInFlight: Memory of all running jobs together; a job that needs more is refused.
    package init(workers: Int, queueLimit: Int, maxBytesInFlight: Int) {
        self.workers = workers
        self.queueLimit = queueLimit
        self.maxBytesInFlight = maxBytesInFlight
    }
}
