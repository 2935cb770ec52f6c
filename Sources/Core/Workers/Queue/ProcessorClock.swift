import Glibc
import Pipeline

/// Measures the processor time of a job, either for all threads of a worker process or for the thread that runs the
/// job.
package struct ProcessorClock {
    private let clock: clockid_t?
    private let start: Duration?
    private let began = ContinuousClock.now

    private init(_ clock: clockid_t?) {
        self.clock = clock
        start = clock.flatMap(Self.time)
    }

    /// A clock that measures the calling thread from now on.
    ///
    /// Threads that encoders start are not included.
    package static var ofThread: ProcessorClock { ProcessorClock(CLOCK_THREAD_CPUTIME_ID) }

    /// Returns a clock that measures a process from now on.
    static func ofProcess(_ processID: Int32) -> ProcessorClock {
        var clock = clockid_t()
        return ProcessorClock(clock_getcpuclockid(processID, &clock) == 0 ? clock : nil)
    }

    /// The processor time since the start of the measurement; if the process has ended, the elapsed time.
    package var elapsed: Duration {
        guard let start, let end = clock.flatMap(Self.time) else { return .now - began }
        return max(.zero, end - start)
    }

    /// Charges the processor time to the client of a job.
    func charge(_ context: JobContext) { context.limits.charge?(elapsed) }

    private static func time(_ clock: clockid_t) -> Duration? {
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else { return nil }
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
