/// The maximum numbers of running and waiting jobs, and the memory that jobs share.
package struct PoolConfiguration: Sendable {
    /// The maximum number of jobs that run at the same time.
    package var workers: Int
    /// Maximum number of waiting jobs.
    ///
    /// Additional jobs are rejected.
    package var queueLimit: Int
    /// Maximum memory of all running jobs together, in bytes.
    ///
    /// A single job that needs more is rejected.
    package var maxBytesInFlight: Int

    /// Creates the limits of a pool.
    ///
    /// - Parameters:
    ///   - workers: The maximum number of jobs that run at the same time.
    ///   - queueLimit: Maximum number of waiting jobs. Additional jobs are rejected.
    ///   - maxBytesInFlight: Maximum memory of all running jobs together, in bytes. A single job that needs more is
    ///   rejected.
    package init(workers: Int, queueLimit: Int, maxBytesInFlight: Int) {
        self.workers = workers
        self.queueLimit = queueLimit
        self.maxBytesInFlight = maxBytesInFlight
    }
}
