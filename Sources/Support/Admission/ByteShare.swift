import Synchronization

/// Bytes of a ``ByteBudget``, reserved until this object is deallocated.
package final class ByteShare: Sendable {
    private let budget: ByteBudget
    private let client: Client?
    private let size: Mutex<Int>

    init(_ bytes: Int, of budget: ByteBudget, for client: Client?) {
        self.budget = budget
        self.client = client
        size = Mutex(bytes)
    }

    deinit { budget.give(size.withLock { $0 }, of: client) }

    /// The number of reserved bytes; ``shrink(by:)`` releases some.
    package var bytes: Int { size.withLock { $0 } }

    /// Reserves more bytes.
    ///
    /// - Returns: Whether enough bytes were free; if not, nothing has changed.
    package func grow(by bytes: Int) -> Bool {
        guard budget.grow(by: bytes, for: client) else { return false }
        size.withLock { $0 += bytes }
        return true
    }

    /// Releases some bytes to the budget, at most ``bytes``.
    package func shrink(by bytes: Int) {
        size.withLock { $0 -= bytes }
        budget.give(bytes, of: client)
    }
}
