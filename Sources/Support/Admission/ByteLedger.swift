/// The bytes of one budget that each client holds.
///
/// A client holds at most three quarters of a budget, so that the rest is free for others; a client that holds nothing
/// may take any number of bytes that are free. The unknown client has no share.
package struct ByteLedger: Sendable {
    /// Why bytes cannot be taken.
    package enum Refusal: Hashable, Sendable {
        /// All clients together hold too much.
        case all
        /// The client's own share is exhausted; it is free again when the client gives bytes back.
        case client
    }

    /// Maximum number of bytes of all clients.
    package let limit: Int
    /// Maximum number of bytes of a client that holds some already.
    package let limitPerClient: Int
    /// Bytes of all clients.
    package private(set) var used = 0
    private var held: [Client: Int] = [:]

    /// - Parameters:
    ///   - limit: Maximum number of bytes of all clients.
    ///   - minimum: Bytes that one client may always have together, such as those of the largest image while it grows.
    package init(limit: Int, minimum: Int = 0) {
        self.limit = limit
        limitPerClient = max(limit / 4 * 3, min(limit, minimum))
    }

    /// Bytes that a client holds; 0 if it holds none.
    package func held(by client: Client) -> Int { held[client] ?? 0 }

    /// Why a client cannot take bytes now; nil if it can.
    package func refusal(of bytes: Int, for client: Client?) -> Refusal? {
        if let client, let held = held[client], bytes > limitPerClient - held { return .client }
        return bytes > limit - used ? .all : nil
    }

    /// Adds bytes, whether they fit or not.
    package mutating func add(_ bytes: Int, for client: Client?) {
        used += bytes
        guard let client, bytes > 0 else { return }
        held[client, default: 0] += bytes
    }

    /// Removes bytes that were added.
    package mutating func remove(_ bytes: Int, for client: Client?) {
        used -= bytes
        guard let client, let before = held[client] else { return }
        held[client] = before > bytes ? before - bytes : nil
    }
}
