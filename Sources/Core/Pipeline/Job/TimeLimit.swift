import Glibc

/// The time limit of a running job, in processor time, so that waiting for a busy machine does not count.
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

    /// Checks the processor time and the elapsed time.
    ///
    /// - Throws: ``PipelineError/tookTooLong(limit:)`` if the job has used all of its processor time, or
    ///   ``PipelineError/overloaded(retryAfter:)`` if one and a half times the limit has elapsed before that.
    package func check() throws(PipelineError) {
        // The elapsed time is never less than the processor time of one thread, and it is cheaper to read.
        let elapsed = clocks.now() - start
        guard elapsed > limit else { return }
        if clocks.processorTime() - processorStart >= limit { throw .tookTooLong(limit: limit) }
        if elapsed > limit + limit / 2 { throw .overloaded(retryAfter: .seconds(1)) }
    }
}
