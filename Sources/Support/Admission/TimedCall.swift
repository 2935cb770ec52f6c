import Dispatch

/// Runs a call that may block, on its own thread, and reports when it takes longer than a limit.
///
/// A call that never returns, such as a read from a file system that does not respond, keeps its thread; nothing else
/// waits for it. One call runs at a time, and a call that is requested during this time follows it. The result of a
/// call that has timed out is dropped, because later calls may have returned earlier.
package final class TimedCall<Output: Sendable>: @unchecked Sendable {
    /// The outcome of a call.
    package enum Outcome: Sendable {
        /// The call returned in time.
        case returned(Output)
        /// The call did not return within the limit.
        case timedOut
        /// The call was not made, because this number of earlier calls have not returned.
        case refused(hanging: Int)
    }

    /// The number of hanging calls that causes further calls to be rejected.
    package static var maxHanging: Int { 4 }

    private let limit: Duration
    private let time: QueueTime
    private let call: @Sendable () -> Output
    private let handle: @Sendable (Outcome) -> Void
    private let queue = DispatchQueue(label: "headroom.timed-call")

    // Accessed only on `queue`.
    private var current: Int?
    private var last = 0
    private var hanging = 0
    private var isRequested = false

    /// Creates the call without making it.
    ///
    /// - Parameters:
    ///   - limit: The time limit of a call; after it, the outcome is ``Outcome/timedOut``.
    ///   - time: The clock and the timer.
    ///   - call: The call; it may block, and runs on its own thread.
    ///   - handle: Receives the outcomes one after another, on a separate queue.
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

    /// Requests a call, and returns immediately.
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
        // Weak: the call retains this object until it returns, and the timer does not need to.
        time.call(time.now() + limit) { [weak self] in
            guard let self else { return }
            queue.async { [self] in giveUp(number) }
        }
        // On a separate queue, so that a blocked call occupies only its own thread.
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
