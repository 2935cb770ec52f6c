import Glibc

/// The processor time that the calling thread spends in `body`.
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

/// Whether work takes time in proportion to a length, of which it gets half and the whole.
///
/// Processor time instead of seconds, because other tests share the processors; the least of three, because the first
/// call is slower. Twice the length takes twice the time, and four times if the work is that of a square; the small
/// time in addition is for work that is too short to measure.
package func isLinear(upTo length: Int, _ work: (Int) throws -> Void) rethrows -> Bool {
    func minimum(_ length: Int) throws -> Duration {
        var minimum = Duration.seconds(1 << 20)
        for _ in 0..<3 { minimum = min(minimum, try processorTime { try work(length) }) }
        return minimum
    }
    let (half, whole) = (try minimum(length / 2), try minimum(length))
    return whole <= half * 3 + Duration.milliseconds(5)
}
