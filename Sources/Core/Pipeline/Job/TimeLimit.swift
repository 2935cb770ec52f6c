import Glibc

/// The time limit of a running job, in processor time: a job that waits for a busy machine has not used its time.
package struct TimeLimit: Sendable {
    /// The clocks used to measure the limit; tests replace them.
    package struct Clocks: Sendable {
        var now: @Sendable () -> ContinuousClock.Instant
        /// The processor time of this process; in a worker process, this is the job's processor time.
        var processorTime: @Sendable () -> Duration

        /// Creates clocks from closures.
        package init(
            now: @escaping @Sendable () -> ContinuousClock.Instant,
            processorTime: @escaping @Sendable () -> Duration
        ) {
            self.now = now
            self.processorTime = processorTime
        }

        /// The clocks of the system.
        package static let system = Clocks(now: { .now }) {
            var time = timespec()
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }
    }

    private let limit: Duration
    private let clocks: Clocks
    private let start: ContinuousClock.Instant
    private let processorStart: Duration

    /// Creates a limit for a job that starts now.
    package init(_ limit: Duration, _ clocks: Clocks = .system) {
        self.limit = limit
        self.clocks = clocks
        start = clocks.now()
        processorStart = clocks.processorTime()
    }

    /// Checks both times.
    ///
    /// - Throws: ``PipelineError/tookTooLong(limit:)`` if the job has used its processor time, or
    ///   ``PipelineError/overloaded(retryAfter:)`` if it has not used it after one and a half times the limit.
    package func check() throws(PipelineError) {
        // The elapsed time is at least the processor time of one thread, and cheaper to read.
        let elapsed = clocks.now() - start
        guard elapsed > limit else { return }
        if clocks.processorTime() - processorStart >= limit { throw .tookTooLong(limit: limit) }
        if elapsed > limit + limit / 2 { throw .overloaded(retryAfter: .seconds(1)) }
    }
}
