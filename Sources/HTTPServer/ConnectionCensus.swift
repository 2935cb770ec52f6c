import Glibc

/// Counts connections, all of them and those of each address, against the limits.
struct ConnectionCensus {
    /// What becomes of a new connection, which is counted in any case.
    enum Verdict: Equatable {
        case serve
        /// Held only to tell the client why.
        case refuse(RequestError)
        /// Closed without a word, for too many from the same address are held to be told.
        case discard
    }

    /// How many connections above a limit are held at a time only to tell them so.
    ///
    /// When that many are told that all places are taken, no more are accepted, and the kernel holds the next ones. Those of
    /// one address are accepted all the same, as others wait behind them.
    private static let maxRefused = 64

    private let maxTotal: Int
    /// Of one address; 0 for no limit.
    private let maxPerAddress: Int
    private(set) var total = 0
    private var perAddress: [PeerAddress.Network: Int] = [:]

    init(_ configuration: HTTPServer.Configuration) {
        maxTotal = configuration.maxConnections
        maxPerAddress = configuration.maxConnectionsPerAddress
    }

    /// Counts a new connection; ``leave(_:)`` is its counterpart.
    mutating func enter(_ peer: PeerAddress) -> Verdict {
        total += 1
        if maxPerAddress > 0, let network = peer.network {
            let count = perAddress[network, default: 0] + 1
            perAddress[network] = count
            if count > maxPerAddress + Self.maxRefused { return .discard }
            if count > maxPerAddress { return .refuse(.tooManyConnectionsOfAddress(limit: maxPerAddress)) }
        }
        return total <= maxTotal ? .serve : .refuse(.tooManyConnections)
    }

    /// Whether no further connection should be accepted before one has left.
    var isFull: Bool { total >= maxTotal + Self.maxRefused }

    /// Counts a connection no longer that has been closed.
    mutating func leave(_ peer: PeerAddress) {
        total -= 1
        guard maxPerAddress > 0, let network = peer.network, let count = perAddress[network] else { return }
        perAddress[network] = count > 1 ? count - 1 : nil
    }
}

extension PeerAddress {
    /// What one client is taken to have: an IPv4 address, or the 64 bits of an IPv6 address that a provider gives out.
    package enum Network: Hashable, Sendable {
        case v4(UInt32)
        case v6(UInt64)
    }

    /// Nil for a Unix socket: its clients are as trusted as whoever may open it.
    package var network: Network? {
        guard let host else { return nil }
        var v4 = in_addr()
        if inet_pton(AF_INET, host, &v4) == 1 { return .v4(v4.s_addr) }
        var v6 = in6_addr()
        guard let address = host.split(separator: "%").first, inet_pton(AF_INET6, String(address), &v6) == 1 else {
            return nil
        }
        return .v6(withUnsafeBytes(of: v6) { $0.loadUnaligned(as: UInt64.self) })
    }
}
