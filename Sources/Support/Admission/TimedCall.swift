import Dispatch

/// Runs a call that may block on its own thread, and reports if it takes longer than a limit.
///
/// A call that never returns, such as a read from a file system that does not respond, occupies its thread, but nothing
/// else waits for it. One call runs at a time. If another call is requested during this time, it runs afterwards. The
/// result of a call that has timed out is dropped, because later calls may have returned before it.
package final class TimedCall<Output: Sendable>: @unchecked Sendable {
    /// The outcome of a call.
    package enum Outcome: Sendable {
        /// The call returned in time.
        case returned(Output)
        /// The call did not return within the limit.
        case timedOut
        /// The call was not made, because this number of previous calls have not returned.
        case refused(hanging: Int)
    }

    /// If this many calls hang, further calls are rejected.
    package static var maxHanging: Int { 4 }

    private let limit: Duration
    private let time: QueueTime
    private let call: @Sendable () -> Output
    private let handle: @Sendable (Outcome) -> Void
    private let queue = DispatchQueue(label: "headroom.timed-call")

    // This property and the following ones are accessed only on `queue`.
    private var current: Int?
    private var last = 0
    private var hanging = 0
    private var isRequested = false

    /// Creates the call without making it.
    ///
    /// - Parameters:
    ///   - limit: The time limit of a call. If it is exceeded, the outcome is ``Outcome/timedOut``.
    ///   - time: The clock and the timer.
    ///   - call: The call. It may block, and runs on its own thread.
    ///   - handle: Receives the outcomes one after another on a separate queue.
    package init(
        limit: Duration,
        time: QueueTime = .system,
        _ call: @escaping @Sendable () -> Output,
        handle: @escaping @Sendable (Outcome) -> Void
    ) {
        self.limit = limit
        self.time = time
        self.call = call
        self.handle = handle
    }

    /// Requests a call and returns immediately.
    package func request() {
        queue.async { [self] in
            isRequested = true
            beginIfRequested()
        }
    }

    private func beginIfRequested() {
        guard current == nil, isRequested else { return }
        isRequested = false
        guard hanging < Self.maxHanging else { return handle(.refused(hanging: hanging)) }
        last += 1
        let number = last
        current = number
        // The reference is weak, because the call retains this object until it returns, and the timer need not retain
        // it.
        time.call(time.now() + limit) { [weak self] in
            guard let self else { return }
            queue.async { [self] in giveUp(number) }
        }
        // Each call has a separate queue, so that a blocked call occupies only its own thread.
        DispatchQueue(label: "headroom.timed-call.\(number)").async { [self] in
            let output = call()
            queue.async { [self] in end(number, output) }
        }
    }

    private func end(_ number: Int, _ output: Output) {
        guard current == number else {
            hanging -= 1
            return
        }
        handle(.returned(output))
        current = nil
        beginIfRequested()
    }

    private func giveUp(_ number: Int) {
        guard current == number else { return }
        hanging += 1
        handle(.timedOut)
        current = nil
        beginIfRequested()
    }
}
