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

    /// Creates a signal that is not cancelled; `probe` is polled for cancellations from elsewhere, such as from another
    /// process.
    package init(probe: (@Sendable () -> Bool)? = nil) { self.probe = probe }

    package var isCancelled: Bool { flag.load(ordering: .relaxed) || probe?() ?? false }

    /// Permanently sets ``isCancelled``, and calls the handlers of all calls of ``withHandler(_:_:)`` in progress.
    ///
    /// Any thread may call it. The handlers run on the calling thread, before it returns; each later call of this
    /// function calls the handlers in progress again.
    package func cancel() {
        flag.store(true, ordering: .sequentiallyConsistent)
        for handler in state.withLock(\.handlers) { handler.action() }
    }

    /// Runs `work`, and calls `handler` if ``cancel()`` is called during the work or was called earlier.
    ///
    /// The handler can be called twice, on any thread, and shortly after `work` has ended.
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
