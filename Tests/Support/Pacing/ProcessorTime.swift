import Glibc

/// The processor time that the calling thread uses in `body`.
package func processorTime(_ body: () throws -> Void) rethrows -> Duration {
    let start = threadTime()
    try body()
    return threadTime() - start
}

private func threadTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

/// Whether the time of some work is proportional to a length.
///
/// The work is measured for half the length and for the whole length.
///
/// Processor time is measured instead of seconds, because other tests share the processors. The minimum of three
/// measurements is used, because the first call is slower. For twice the length, linear work takes twice the time, and
/// quadratic work takes four times the time. The small additional time is for work that is too short to measure.
package func isLinear(upTo length: Int, _ work: (Int) throws -> Void) rethrows -> Bool {
    func minimum(_ length: Int) throws -> Duration {
        var minimum = Duration.seconds(1 << 20)
        for _ in 0..<3 { minimum = min(minimum, try processorTime { try work(length) }) }
        return minimum
    }
    let (half, whole) = (try minimum(length / 2), try minimum(length))
    return whole <= half * 3 + Duration.milliseconds(5)
}
