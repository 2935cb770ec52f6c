/// How far a body or an answer has come, and how long it may take.
struct Transfer {
    private var start = ContinuousClock.Instant.now
    /// Bytes received or sent so far.
    var bytes: Int

    init(bytes: Int = 0) { self.bytes = bytes }

    /// The time by which it must be complete: `timeout` after its beginning, and a second more for every
    /// `bytesPerSecond` bytes that have come through.
    func deadline(timeout: Duration, bytesPerSecond: Int) -> ContinuousClock.Instant {
        start + timeout + .seconds(bytes / max(1, bytesPerSecond))
    }
}
