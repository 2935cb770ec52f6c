import Synchronization

/// Signals running work that its result is no longer needed.
package final class Cancellation: Sendable {
    private struct State {
        var handlers: [(id: Int, action: @Sendable () -> Void)] = []
        var nextID = 0
    }

    private let flag = Atomic(false)
    private let state = Mutex(State())
    private let probe: (@Sendable () -> Bool)?

    /// Creates a signal that is not cancelled.
    ///
    /// - Parameter probe: Polled for cancellations from elsewhere than ``cancel()``, such as from another process.
    package init(probe: (@Sendable () -> Bool)? = nil) { self.probe = probe }

    /// Whether the work should stop.
    package var isCancelled: Bool { flag.load(ordering: .relaxed) || probe?() ?? false }

    /// Signals the work to stop.
    package func cancel() {
        flag.store(true, ordering: .sequentiallyConsistent)
        for handler in state.withLock(\.handlers) { handler.action() }
    }

    /// Runs `work`, and calls `handler` if ``cancel()`` is called during the work or was called before.
    ///
    /// - Parameters:
    ///   - handler: Can be called twice, on any thread, and shortly after `work` has ended.
    ///   - work: The work to interrupt.
    /// - Returns: The value that `work` returns.
    package func withHandler<Result>(_ handler: @escaping @Sendable () -> Void, _ work: () -> Result) -> Result {
        let id = state.withLock { state in
            state.nextID += 1
            state.handlers.append((state.nextID, handler))
            return state.nextID
        }
        defer { state.withLock { $0.handlers.removeAll { $0.id == id } } }
        if flag.load(ordering: .sequentiallyConsistent) { handler() }
        return work()
    }
}
