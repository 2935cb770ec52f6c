import Dispatch
import Synchronization

/// Memory that jobs share which have a worker already and learn only then how much they need.
///
/// Who waits blocks its worker; first come, first served, so that a large picture does not wait for ever.
final class MemoryBudget: Sendable {
    private struct Waiter {
        let bytes: Int
        let turn: DispatchSemaphore
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
    /// - Throws: ``PipelineError/tooMuchMemory(bytes:limit:)`` for what all of it would not suffice.
    func take(_ bytes: Int) throws(PipelineError) {
        guard bytes <= limit else { throw .tooMuchMemory(bytes: bytes, limit: limit) }
        let turn: DispatchSemaphore? = state.withLock { state in
            if state.waiting.isEmpty, state.used + bytes <= limit {
                state.used += bytes
                return nil
            }
            let waiter = Waiter(bytes: bytes, turn: DispatchSemaphore(value: 0))
            state.waiting.append(waiter)
            return waiter.turn
        }
        turn?.wait()
    }

    /// Gives memory back.
    func give(_ bytes: Int) {
        state.withLock { state in
            state.used -= bytes
            while let first = state.waiting.first, state.used + first.bytes <= limit {
                state.used += first.bytes
                state.waiting.removeFirst()
                first.turn.signal()
            }
        }
    }
}
