import Glibc

/// The calendar time of spans and exemplars.
package enum UnixNanoseconds {
    /// Nanoseconds since 1970.
    package static var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
