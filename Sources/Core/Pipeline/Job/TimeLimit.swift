import Glibc

/// The time limit of a running job, in processor time: a job that waits for a busy machine has not used its time.
package struct TimeLimit: Sendable {
    /// The clocks that the limit is measured with; tests replace them.
    package struct Clocks: Sendable {
        var now: @Sendable () -> ContinuousClock.Instant
        /// The processor time of this process, which in a worker process is the job's.
        var processorTime: @Sendable () -> Duration

        /// Clocks as given.
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

    /// A limit for a job that begins now.
    package init(_ limit: Duration, _ clocks: Clocks = .system) {
        self.limit = limit
        self.clocks = clocks
        start = clocks.now()
        processorStart = clocks.processorTime()
    }

    /// Checks both times.
    ///
    /// - Throws: ``PipelineError/tookTooLong(limit:)`` if the job has used its processor time, or
    ///   ``PipelineError/overloaded(retryAfter:)`` if it has not, and half of the limit has passed besides the limit.
    package func check() throws(PipelineError) {
        // The elapsed time is at least the processor time of one thread, and cheaper to read.
        let elapsed = clocks.now() - start
        guard elapsed > limit else { return }
        if clocks.processorTime() - processorStart >= limit { throw .tookTooLong(limit: limit) }
        if elapsed > limit + limit / 2 { throw .overloaded(retryAfter: .seconds(1)) }
    }
}
