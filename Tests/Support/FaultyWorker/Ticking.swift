import Glibc

/// Computes at each tick of the system's timer and sleeps in between.
///
/// Tick-based accounting then counts far more processor time than the scheduler measures.
enum Ticking {
    static func run() -> Never {
        while true {
            let tick = coarseTime()
            while coarseTime() == tick {}
            // Less than a tick of a 250 Hz timer; shorter ticks are sometimes missed.
            usleep(3000)
        }
    }

    /// The time of the last tick, in nanoseconds.
    private static func coarseTime() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
