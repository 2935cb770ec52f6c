/// Connection limiter: counts open connections, in total and per address, and enforces the limits.
struct ConnectionLimiter {
    /// The treatment of a new connection, which is counted in every case.
    enum Verdict: Equatable {
        case serve
        /// Kept open only to send the reason.
        case refuse(RequestError)
        /// Closed without a response, because too many refused connections of this address are open.
        case discard
    }

    /// Refused connections that are open at the same time, for each limit.
    ///
    /// When that many are open above the total limit, accepting pauses and the kernel queues further connections.
    /// Above the limit of one address accepting continues, because connections from other addresses wait in the same
    /// queue.
    private static let maxRefused = 64

    private let maxTotal: Int
    /// Limit per address; 0 disables it.
    private let maxPerAddress: Int
    private(set) var total = 0
    private var perAddress: [PeerAddress.Network: Int] = [:]

    init(_ configuration: ServerConfiguration) {
        maxTotal = configuration.maxConnections
        maxPerAddress = configuration.maxConnectionsPerAddress
    }

    /// Counts a new connection; ``remove(_:)`` is its counterpart.
    mutating func admit(_ peer: PeerAddress) -> Verdict {
        total += 1
        if maxPerAddress > 0, let network = peer.network {
            let count = perAddress[network, default: 0] + 1
            perAddress[network] = count
            if count - Self.maxRefused > maxPerAddress { return .discard }
            if count > maxPerAddress { return .refuse(.tooManyConnectionsOfAddress(limit: maxPerAddress)) }
        }
        return total <= maxTotal ? .serve : .refuse(.tooManyConnections)
    }

    /// Whether accepting must pause until a connection is closed.
    var isFull: Bool { total - Self.maxRefused >= maxTotal }

    /// Removes a closed connection from the counts.
    mutating func remove(_ peer: PeerAddress) {
        total -= 1
        guard maxPerAddress > 0, let network = peer.network, let count = perAddress[network] else { return }
        perAddress[network] = count > 1 ? count - 1 : nil
    }
}
