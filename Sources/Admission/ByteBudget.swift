import Synchronization

/// A memory budget in bytes that several owners share: each reserves bytes before it allocates them, and releases them
/// afterwards.
///
/// A client holds at most its share (``ByteLedger``).
package final class ByteBudget: Sendable {
    /// Maximum number of bytes reserved at the same time.
    package let limit: Int

    private let taken: Mutex<ByteLedger>

    /// A budget of `limit` bytes, of which one client may always have `least`.
    package init(limit: Int, least: Int = 0) {
        self.limit = limit
        taken = Mutex(ByteLedger(limit: limit, least: least))
    }

    package var used: Int { taken.withLock { $0.used } }

    /// Whether a client could reserve bytes now.
    package func hasRoom(for bytes: Int, of client: Client? = nil) -> Bool {
        taken.withLock { $0.refusal(of: bytes, for: client) == nil }
    }

    /// Reserves bytes, if enough are free and the client's share is not exhausted.
    ///
    /// - Returns: The reservation, which is released with its last reference; nil if too few bytes are free.
    package func take(_ bytes: Int, for client: Client? = nil) -> ByteShare? {
        grow(by: bytes, for: client) ? ByteShare(bytes, of: self, for: client) : nil
    }

    fileprivate func grow(by bytes: Int, for client: Client?) -> Bool {
        taken.withLock { taken in
            guard taken.refusal(of: bytes, for: client) == nil else { return false }
            taken.add(bytes, for: client)
            return true
        }
    }

    fileprivate func give(_ bytes: Int, of client: Client?) { taken.withLock { $0.remove(bytes, for: client) } }
}

/// Bytes of a ``ByteBudget``, reserved until this object is deallocated.
package final class ByteShare: Sendable {
    private let budget: ByteBudget
    private let client: Client?
    private let size: Mutex<Int>

    fileprivate init(_ bytes: Int, of budget: ByteBudget, for client: Client?) {
        self.budget = budget
        self.client = client
        size = Mutex(bytes)
    }

    deinit { budget.give(size.withLock { $0 }, of: client) }

    package var bytes: Int { size.withLock { $0 } }

    /// Reserves more bytes.
    ///
    /// - Returns: Whether enough bytes were free; if not, nothing has changed.
    package func grow(by bytes: Int) -> Bool {
        guard budget.grow(by: bytes, for: client) else { return false }
        size.withLock { $0 += bytes }
        return true
    }

    package func shrink(by bytes: Int) {
        size.withLock { $0 -= bytes }
        budget.give(bytes, of: client)
    }
}

/// A memory budget in bytes whose callers wait for their share, in order of arrival.
package final class ByteGate: Sendable {
    /// Reserved memory, released with its last reference.
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

    /// A gate with all of its memory free, in bytes.
    package init(limit: Int) {
        self.limit = limit
        state = Mutex(State(free: limit))
    }

    /// Waits until `bytes` are free and reserves them; more than the limit waits until all memory is free.
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
