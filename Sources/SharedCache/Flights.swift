import Synchronization

/// Joins equal work that is asked for at the same time: it is done once, and all who wait get the same value.
///
/// The work runs in a task of its own, so that it belongs to nobody: one who waits may be cancelled without the others
/// noticing, and when the last has left, the work is cancelled.
package final class Flights<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// What one who waited gets.
    package struct Arrival: Sendable {
        /// What the work gave.
        package let value: Value
        /// Whether the work had begun for another one already.
        package let isJoined: Bool
    }

    private typealias Continuation = CheckedContinuation<Arrival?, Never>

    /// One caller, from before it waits.
    private final class Waiter: Sendable {
        /// Set under the lock of the flights, so that none is cancelled on its way to its flight.
        let isCancelled = Atomic(false)
    }

    private struct Flight {
        let id: UInt64
        var task: Task<Void, Never>?
        var waiting: [ObjectIdentifier: (continuation: Continuation, isJoined: Bool)] = [:]
    }

    private struct State {
        var flights: [Key: Flight] = [:]
        var nextID: UInt64 = 0
        var joined = 0
    }

    private let state = Mutex(State())

    /// Nothing is under way.
    package init() {}

    /// How often somebody waited for work that had begun for another one.
    package var joined: Int { state.withLock { $0.joined } }

    /// How many works are under way.
    package var count: Int { state.withLock { $0.flights.count } }

    /// Does the work, or waits for it where it is under way.
    ///
    /// - Parameters:
    ///   - key: Of the work: equal keys stand for equal work.
    ///   - work: Runs in a task of its own, which is cancelled when nobody waits any more.
    /// - Returns: Nil when the calling task was cancelled.
    package func join(_ key: Key, _ work: @escaping @Sendable () async -> Value) async -> Arrival? {
        let waiter = Waiter()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if !board(key, waiter, continuation, work) { continuation.resume(returning: nil) }
            }
        } onCancel: {
            leave(key, waiter)
        }
    }

    /// Lets a caller wait; false when it was cancelled before.
    private func board(
        _ key: Key,
        _ waiter: Waiter,
        _ continuation: Continuation,
        _ work: @escaping @Sendable () async -> Value
    ) -> Bool {
        state.withLock { state in
            guard !waiter.isCancelled.load(ordering: .relaxed) else { return false }
            let place = ObjectIdentifier(waiter)
            if state.flights[key] != nil {
                state.flights[key]?.waiting[place] = (continuation, true)
                state.joined += 1
                return true
            }
            state.nextID += 1
            let id = state.nextID
            var flight = Flight(id: id, waiting: [place: (continuation, false)])
            // It begins on another thread, and cannot land before the lock is free.
            flight.task = Task {
                let value = await work()
                self.land(key, id, value)
            }
            state.flights[key] = flight
            return true
        }
    }

    private func leave(_ key: Key, _ waiter: Waiter) {
        let (continuation, task) = state.withLock { state -> (Continuation?, Task<Void, Never>?) in
            waiter.isCancelled.store(true, ordering: .relaxed)
            guard let left = state.flights[key]?.waiting.removeValue(forKey: ObjectIdentifier(waiter)) else {
                return (nil, nil)
            }
            guard let flight = state.flights[key], flight.waiting.isEmpty else { return (left.continuation, nil) }
            state.flights[key] = nil
            return (left.continuation, flight.task)
        }
        task?.cancel()
        continuation?.resume(returning: nil)
    }

    private func land(_ key: Key, _ id: UInt64, _ value: Value) {
        let flight = state.withLock { state -> Flight? in
            // Another one of the same key may have begun after all had left this one.
            guard state.flights[key]?.id == id else { return nil }
            return state.flights.removeValue(forKey: key)
        }
        for (continuation, isJoined) in (flight?.waiting.values.map { $0 } ?? []) {
            continuation.resume(returning: Arrival(value: value, isJoined: isJoined))
        }
    }
}
