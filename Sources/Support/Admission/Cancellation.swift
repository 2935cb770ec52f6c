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
    /// `probe` is polled for cancellations from elsewhere, such as from another process.
    package init(probe: (@Sendable () -> Bool)? = nil) { self.probe = probe }

    package var isCancelled: Bool { flag.load(ordering: .relaxed) || probe?() ?? false }

    /// Sets ``isCancelled`` permanently, and calls the handlers of all running calls to ``withHandler(_:_:)``.
    ///
    /// Any thread may call it. The handlers run on the calling thread before it returns. Each later call calls the
    /// handlers of running calls again.
    package func cancel() {
        flag.store(true, ordering: .sequentiallyConsistent)
        for handler in state.withLock(\.handlers) { handler.action() }
    }

    /// Runs `work`.
    ///
    /// Calls `handler` if ``cancel()`` was called earlier or is called during the work.
    ///
    /// The handler can be called twice, on any thread, and also shortly after `work` has ended.
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
