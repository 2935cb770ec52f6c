import Synchronization

/// Asks a run to finish what is in work.
package final class StopRequest: Sendable {
    private struct State {
        var isRequested = false
        var sleepers: [UInt64: Task<Void, any Error>] = [:]
        var next: UInt64 = 0
        var handlers: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// Whether the run is to end.
    package var isRequested: Bool { state.withLock { $0.isRequested } }

    /// Ends the run; waits before retries end at once.
    package func request() {
        let (sleepers, handlers) = state.withLock { state in
            state.isRequested = true
            defer { state.handlers = [] }
            return (state.sleepers.values.map(\.self), state.handlers)
        }
        for sleeper in sleepers { sleeper.cancel() }
        for handler in handlers { handler() }
    }

    /// Calls a handler when the run is to end; at once if that was requested before.
    func whenRequested(_ handler: @escaping @Sendable () -> Void) {
        let isRequested = state.withLock { state in
            if !state.isRequested { state.handlers.append(handler) }
            return state.isRequested
        }
        if isRequested { handler() }
    }

    /// Waits; returns false if the run is to end.
    func sleep(_ time: Duration, _ clock: BatchClock) async -> Bool {
        let task = Task { try await clock.sleep(time) }
        let number: UInt64? = state.withLock { state -> UInt64? in
            guard !state.isRequested else { return nil }
            state.next += 1
            state.sleepers[state.next] = task
            return state.next
        }
        guard let number else {
            task.cancel()
            return false
        }
        _ = await task.result
        return state.withLock { state in
            state.sleepers[number] = nil
            return !state.isRequested
        }
    }
}
