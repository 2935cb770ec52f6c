import Synchronization

/// A counter that tests and handlers can wait for, so that they do not depend on times.
public final class Gate: Sendable {
    private struct State {
        var count = 0
        var waiters: [(threshold: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    /// The number of times that the gate has been reached.
    public var count: Int { state.withLock { $0.count } }

    /// A gate with a count of 0.
    public init() {}

    /// Increments the count.
    public func signal() {
        let due = state.withLock { state in
            state.count += 1
            let due = state.waiters.filter { $0.threshold <= state.count }
            state.waiters.removeAll { $0.threshold <= state.count }
            return due
        }
        for waiter in due { waiter.continuation.resume() }
    }

    /// Waits until the count is at least `threshold`.
    public func wait(for threshold: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isDue = state.withLock { state in
                if state.count < threshold { state.waiters.append((threshold, continuation)) }
                return state.count >= threshold
            }
            if isDue { continuation.resume() }
        }
    }
}

/// Waits until the calling task is cancelled; returns false after a minute.
public func untilCancelled() async -> Bool {
    do {
        try await Task.sleep(for: .seconds(60))
        return false
    } catch {
        return true
    }
}
