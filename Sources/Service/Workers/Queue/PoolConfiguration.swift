/// The maximum numbers of running and waiting jobs, and their shared memory.
package struct PoolConfiguration: Sendable {
    /// Jobs that run at the same time.
    package var workers: Int
    /// Maximum number of waiting jobs; another job is rejected.
    package var queueLimit: Int
    /// Maximum memory of all running jobs together, in bytes; a single job that needs more is rejected.
    package var maxBytesInFlight: Int

    /// Creates the limits of a pool.
    ///
    /// - Parameters:
    ///   - workers: Jobs that run at the same time.
    ///   - queueLimit: Maximum number of waiting jobs; another job is rejected.
    ///   - maxBytesInFlight: Maximum memory of all running jobs together, in bytes; a job that needs more is rejected.
    package init(workers: Int, queueLimit: Int, maxBytesInFlight: Int) {
        self.workers = workers
        self.queueLimit = queueLimit
        self.maxBytesInFlight = maxBytesInFlight
    }
}
