import Synchronization

/// A memory budget in bytes.
///
/// Callers wait for their reservations in order of arrival.
package final class ByteGate: Sendable {
    /// Reserved memory, which is released with the last reference to this object.
    package final class Share: Sendable {
        private let gate: ByteGate
        private let bytes: Int

        fileprivate init(_ gate: ByteGate, _ bytes: Int) {
            self.gate = gate
            self.bytes = bytes
        }

        deinit { gate.give(bytes) }
    }

    private struct State {
        var free: Int
        var waiting: [(bytes: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let limit: Int
    private let state: Mutex<State>

    /// Creates a gate with all memory free.
    ///
    /// - Parameter limit: Maximum number of bytes of all work in progress together.
    package init(limit: Int) {
        self.limit = limit
        state = Mutex(State(free: limit))
    }

    /// Waits until `bytes` bytes are free and reserves them.
    ///
    /// A request above the limit waits until all memory is free.
    package func take(_ bytes: Int) async -> Share {
        let bytes = min(bytes, limit)
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isFree = state.withLock { state in
                guard state.waiting.isEmpty, bytes <= state.free else {
                    state.waiting.append((bytes, continuation))
                    return false
                }
                state.free -= bytes
                return true
            }
            if isFree { continuation.resume() }
        }
        return Share(self, bytes)
    }

    func give(_ bytes: Int) {
        let due = state.withLock { state in
            state.free += bytes
            var due: [CheckedContinuation<Void, Never>] = []
            while let first = state.waiting.first, first.bytes <= state.free {
                state.free -= first.bytes
                due.append(first.continuation)
                state.waiting.removeFirst()
            }
            return due
        }
        for continuation in due { continuation.resume() }
    }
}
