import Dispatch
import Synchronization

/// Memory that jobs share which have a worker already and learn only then how much they need.
///
/// Who waits blocks its worker; first come, first served, so that a large picture does not wait for ever.
final class MemoryBudget: Sendable {
    private final class Waiter: Sendable {
        let bytes: Int
        let turn = DispatchSemaphore(value: 0)

        init(bytes: Int) { self.bytes = bytes }
    }

    private struct State {
        var used = 0
        var waiting: [Waiter] = []
    }

    let limit: Int
    private let state = Mutex(State())

    init(limit: Int) { self.limit = limit }

    /// Bytes that are taken.
    var used: Int { state.withLock { $0.used } }

    /// Waits for memory, which is to be given back.
    ///
    /// - Parameters:
    ///   - bytes: How much.
    ///   - deadline: How long to wait at most; nil for as long as it takes.
    /// - Throws: ``PipelineError/tooMuchMemory(bytes:limit:)`` for what all of it would not suffice, and
    ///   ``PipelineError/overloaded(retryAfter:)`` at the deadline.
    func take(_ bytes: Int, by deadline: ContinuousClock.Instant? = nil) throws(PipelineError) {
        guard bytes <= limit else { throw .tooMuchMemory(bytes: bytes, limit: limit) }
        let waiter: Waiter? = state.withLock { state in
            if state.waiting.isEmpty, state.used + bytes <= limit {
                state.used += bytes
                return nil
            }
            let waiter = Waiter(bytes: bytes)
            state.waiting.append(waiter)
            return waiter
        }
        guard let waiter else { return }
        guard let deadline else { return waiter.turn.wait() }
        let rest = max(.zero, deadline - .now)
        guard waiter.turn.wait(timeout: .now() + rest / .seconds(1)) == .timedOut, leave(waiter) else { return }
        throw .overloaded(retryAfter: .seconds(1))
    }

    /// Gives memory back.
    func give(_ bytes: Int) {
        state.withLock { state in
            state.used -= bytes
            grant(&state)
        }
    }

    /// Whether the waiter was still waiting, which it then does no longer.
    private func leave(_ waiter: Waiter) -> Bool {
        state.withLock { state in
            guard let index = state.waiting.firstIndex(where: { $0 === waiter }) else { return false }
            state.waiting.remove(at: index)
            // It may have stood before smaller ones.
            grant(&state)
            return true
        }
    }

    private func grant(_ state: inout State) {
        while let first = state.waiting.first, state.used + first.bytes <= limit {
            state.used += first.bytes
            state.waiting.removeFirst()
            first.turn.signal()
        }
    }
}
