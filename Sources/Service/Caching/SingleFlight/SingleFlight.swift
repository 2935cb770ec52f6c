import Synchronization

/// Single flight: runs equal concurrent work once and returns the result to all callers.
///
/// The work runs in its own task. Cancelling one caller does not affect the other callers. The work is cancelled when
/// all callers have been cancelled.
package final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// The result for one caller.
    package struct Completion: Sendable {
        package let value: Value
        /// Whether another caller started the work.
        package let isJoined: Bool
    }

    private typealias Continuation = CheckedContinuation<Completion?, Never>

    /// A caller; created before it waits.
    private final class Waiter: Sendable {
        /// Set while the lock of `state` is held, so that a cancellation between the check and the wait is not lost.
        let isCancelled = Atomic(false)
    }

    private struct Call {
        let id: UInt64
        var task: Task<Void, Never>?
        var waiting: [ObjectIdentifier: (continuation: Continuation, isJoined: Bool)] = [:]
    }

    private struct State {
        var calls: [Key: Call] = [:]
        var nextID: UInt64 = 0
        var joined = 0
    }

    private let state = Mutex(State())

    /// Creates an instance without work in progress.
    package init() {}

    /// The number of callers that have joined a run in progress so far.
    package var joined: Int { state.withLock { $0.joined } }

    /// The number of runs in progress.
    package var count: Int { state.withLock { $0.calls.count } }

    /// Starts the work, or waits for an equal run in progress.
    ///
    /// - Parameters:
    ///   - key: Identifies the work. Equal keys mean equal work.
    ///   - work: Runs in its own task, which is cancelled when all callers have been cancelled.
    /// - Returns: Nil if the calling task was cancelled.
    package func join(_ key: Key, _ work: @escaping @Sendable () async -> Value) async -> Completion? {
        let waiter = Waiter()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if !wait(key, waiter, continuation, work) { continuation.resume(returning: nil) }
            }
        } onCancel: {
            cancel(key, waiter)
        }
    }

    /// Registers a caller.
    ///
    /// Returns false if the caller was already cancelled.
    private func wait(
        _ key: Key,
        _ waiter: Waiter,
        _ continuation: Continuation,
        _ work: @escaping @Sendable () async -> Value
    ) -> Bool {
        state.withLock { state in
            guard !waiter.isCancelled.load(ordering: .relaxed) else { return false }
            let place = ObjectIdentifier(waiter)
            if state.calls[key] != nil {
                state.calls[key]?.waiting[place] = (continuation, true)
                state.joined += 1
                return true
            }
            state.nextID += 1
            let id = state.nextID
            var call = Call(id: id, waiting: [place: (continuation, false)])
            // The task runs on another thread and cannot finish before the lock is released.
            call.task = Task {
                let value = await work()
                self.finish(key, id, value)
            }
            state.calls[key] = call
            return true
        }
    }

    private func cancel(_ key: Key, _ waiter: Waiter) {
        let (continuation, task) = state.withLock { state -> (Continuation?, Task<Void, Never>?) in
            waiter.isCancelled.store(true, ordering: .relaxed)
            guard let left = state.calls[key]?.waiting.removeValue(forKey: ObjectIdentifier(waiter)) else {
                return (nil, nil)
            }
            guard let call = state.calls[key], call.waiting.isEmpty else { return (left.continuation, nil) }
            state.calls[key] = nil
            return (left.continuation, call.task)
        }
        task?.cancel()
        continuation?.resume(returning: nil)
    }

    private func finish(_ key: Key, _ id: UInt64, _ value: Value) {
        let call = state.withLock { state -> Call? in
            // Different work with the same key may have started after all callers of this work were cancelled.
            guard state.calls[key]?.id == id else { return nil }
            return state.calls.removeValue(forKey: key)
        }
        for (continuation, isJoined) in (call?.waiting.values.map { $0 } ?? []) {
            continuation.resume(returning: Completion(value: value, isJoined: isJoined))
        }
    }
}
