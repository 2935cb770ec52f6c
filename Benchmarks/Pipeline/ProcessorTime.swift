import Glibc

/// Processor time in seconds; other load hardly affects it.
enum ProcessorTime {
    /// For the calling thread.
    static var ofThread: Double { seconds(CLOCK_THREAD_CPUTIME_ID) }

    /// For all threads of this process.
    static var ofProcess: Double { seconds(CLOCK_PROCESS_CPUTIME_ID) }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
