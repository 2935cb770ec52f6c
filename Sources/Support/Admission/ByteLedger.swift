/// The bytes of one budget that each client uses.
///
/// A client can use at most three quarters of a budget, so that the rest is free for other clients. A client that uses
/// no bytes yet may take any number of free bytes. Unknown clients do not have a fair share.
package struct ByteLedger: Sendable {
    /// The reason why bytes cannot be taken.
    package enum Refusal: Hashable, Sendable {
        /// All clients together use too many bytes.
        case all
        /// The client's own fair share is exhausted.
        ///
        /// It becomes available again when the client releases bytes.
        case client
    }

    /// Maximum number of bytes for all clients.
    package let limit: Int
    /// Maximum number of bytes for a client that already uses some.
    package let limitPerClient: Int
    /// The number of bytes that all clients use.
    package private(set) var used = 0
    private var held: [Client: Int] = [:]

    /// - Parameters:
    ///   - limit: Maximum number of bytes of all clients.
    ///   - minimum: The number of bytes that one client can always use, for example for the largest image while it
    ///   grows.
    package init(limit: Int, minimum: Int = 0) {
        self.limit = limit
        limitPerClient = max(limit / 4 * 3, min(limit, minimum))
    }

    /// Returns the number of bytes that a client uses.
    package func held(by client: Client) -> Int { held[client] ?? 0 }

    /// Returns the reason why a client cannot take bytes now; nil if it can.
    package func refusal(of bytes: Int, for client: Client?) -> Refusal? {
        if let client, let held = held[client], bytes > limitPerClient - held { return .client }
        return bytes > limit - used ? .all : nil
    }

    /// Adds bytes, regardless of the limits.
    package mutating func add(_ bytes: Int, for client: Client?) {
        used += bytes
        guard let client, bytes > 0 else { return }
        held[client, default: 0] += bytes
    }

    /// Removes bytes that were previously added.
    package mutating func remove(_ bytes: Int, for client: Client?) {
        used -= bytes
        guard let client, let before = held[client] else { return }
        held[client] = before > bytes ? before - bytes : nil
    }
}
