import Dispatch

/// The clock and the timer of a ``DeadlineQueue``.
package struct QueueTime: Sendable {
    package let now: @Sendable () -> ContinuousClock.Instant
    /// Calls a function at a given time, on any thread.
    package let call: @Sendable (_ time: ContinuousClock.Instant, _ action: @escaping @Sendable () -> Void) -> Void

    /// Creates a clock and a timer; used by tests.
    package init(
        now: @escaping @Sendable () -> ContinuousClock.Instant,
        call: @escaping @Sendable (ContinuousClock.Instant, @escaping @Sendable () -> Void) -> Void
    ) {
        self.now = now
        self.call = call
    }

    private static let timers = DispatchQueue(label: "headroom.deadlines")

    /// The system clock, with timers on a Dispatch queue.
    package static let system = QueueTime(now: { .now }) { time, action in
        timers.asyncAfter(deadline: .now() + max(.zero, time - .now) / .seconds(1), execute: action)
    }
}
