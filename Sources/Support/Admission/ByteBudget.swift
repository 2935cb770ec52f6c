import Synchronization

/// A memory budget in bytes that several owners share.
///
/// Each owner reserves bytes before it allocates them, and releases them after use.
///
/// A client can use at most its fair share (``ByteLedger``).
package final class ByteBudget: Sendable {
    /// Maximum number of bytes that are reserved at the same time.
    package let limit: Int

    private let taken: Mutex<ByteLedger>

    /// Creates a budget of `limit` bytes; one client may always reserve `minimum` bytes.
    package init(limit: Int, minimum: Int = 0) {
        self.limit = limit
        taken = Mutex(ByteLedger(limit: limit, minimum: minimum))
    }

    /// The number of reserved bytes.
    package var used: Int { taken.withLock { $0.used } }

    /// Whether a client could reserve bytes now.
    package func hasRoom(for bytes: Int, of client: Client? = nil) -> Bool {
        taken.withLock { $0.refusal(of: bytes, for: client) == nil }
    }

    /// Reserves bytes, if enough bytes are free and the client's fair share is not exhausted.
    ///
    /// - Returns: The reservation, which is released when its last reference is released; nil if not enough bytes are
    ///   free.
    package func take(_ bytes: Int, for client: Client? = nil) -> ByteShare? {
        grow(by: bytes, for: client) ? ByteShare(bytes, of: self, for: client) : nil
    }

    func grow(by bytes: Int, for client: Client?) -> Bool {
        taken.withLock { taken in
            guard taken.refusal(of: bytes, for: client) == nil else { return false }
            taken.add(bytes, for: client)
            return true
        }
    }

    func give(_ bytes: Int, of client: Client?) { taken.withLock { $0.remove(bytes, for: client) } }
}
