import Synchronization

/// Bytes of a ``ByteBudget`` that are reserved until this object is deallocated.
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

    /// The number of reserved bytes.
    ///
    /// ``shrink(by:)`` releases some of them.
    package var bytes: Int { size.withLock { $0 } }

    /// Reserves additional bytes.
    ///
    /// - Returns: Whether enough bytes were free. If not, nothing changes.
    package func grow(by bytes: Int) -> Bool {
        guard budget.grow(by: bytes, for: client) else { return false }
        size.withLock { $0 += bytes }
        return true
    }

    /// Releases some bytes, at most ``bytes``, to the budget.
    package func shrink(by bytes: Int) {
        size.withLock { $0 -= bytes }
        budget.give(bytes, of: client)
    }
}
