import Synchronization

/// Signals running work that its result is not wanted any more.
package final class Cancellation: Sendable {
    private struct State {
        var handlers: [(id: Int, action: @Sendable () -> Void)] = []
        var nextID = 0
    }

    private let flag = Atomic(false)
    private let state = Mutex(State())
    private let probe: (@Sendable () -> Bool)?

    /// Not cancelled yet.
    ///
    /// - Parameter probe: Polled for a cancellation that does not come through ``cancel()``, such as from another process.
    package init(probe: (@Sendable () -> Bool)? = nil) { self.probe = probe }

    /// Whether the work may stop.
    package var isCancelled: Bool { flag.load(ordering: .relaxed) || probe?() ?? false }

    /// Asks the work to stop.
    package func cancel() {
        flag.store(true, ordering: .sequentiallyConsistent)
        for handler in state.withLock(\.handlers) { handler.action() }
    }

    /// Runs `work`, and calls `handler` if ``cancel()`` is called meanwhile or was called before.
    ///
    /// - Parameters:
    ///   - handler: May be called twice, on any thread, and shortly after `work` has ended.
    ///   - work: What is to be interrupted.
    /// - Returns: What `work` returns.
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
