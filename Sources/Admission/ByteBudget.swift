import Synchronization

/// Bytes that several owners share: each takes some before it uses memory for them, and gives them back.
package final class ByteBudget: Sendable {
    /// The most bytes that may be taken at the same time.
    package let limit: Int

    private let taken = Mutex(0)

    /// A budget of which nothing is taken.
    package init(limit: Int) { self.limit = limit }

    /// Bytes that are taken now.
    package var used: Int { taken.withLock { $0 } }

    /// Takes bytes, if so many are left.
    ///
    /// - Returns: What gives them back when the last reference to it ends; nil when they are not left.
    package func take(_ bytes: Int) -> ByteShare? {
        grow(by: bytes) ? ByteShare(bytes, of: self) : nil
    }

    fileprivate func grow(by bytes: Int) -> Bool {
        taken.withLock { taken in
            guard bytes <= limit - taken else { return false }
            taken += bytes
            return true
        }
    }

    fileprivate func give(_ bytes: Int) { taken.withLock { $0 -= bytes } }
}

/// Bytes of a ``ByteBudget``, taken for as long as this object lives.
package final class ByteShare: Sendable {
    private let budget: ByteBudget
    private let size: Mutex<Int>

    fileprivate init(_ bytes: Int, of budget: ByteBudget) {
        self.budget = budget
        size = Mutex(bytes)
    }

    deinit { budget.give(size.withLock { $0 }) }

    /// How many there are.
    package var bytes: Int { size.withLock { $0 } }

    /// Takes more bytes.
    ///
    /// - Returns: Whether so many were left; if not, nothing has changed.
    package func grow(by bytes: Int) -> Bool {
        guard budget.grow(by: bytes) else { return false }
        size.withLock { $0 += bytes }
        return true
    }

    /// Gives some of the bytes back.
    package func shrink(by bytes: Int) {
        size.withLock { $0 -= bytes }
        budget.give(bytes)
    }
}

/// Lets work begin when there is memory for its bytes, in the order of arrival.
package final class ByteGate: Sendable {
    /// Memory that is given back with its last reference.
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

    /// A gate with all of its memory free.
    ///
    /// - Parameter limit: The memory of what is in work, in bytes.
    package init(limit: Int) {
        self.limit = limit
        state = Mutex(State(free: limit))
    }

    /// Waits for memory; more than the limit waits until there is nothing else.
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

    private func give(_ bytes: Int) {
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
