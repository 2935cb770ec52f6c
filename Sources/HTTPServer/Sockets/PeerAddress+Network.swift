import Glibc

extension PeerAddress {
    /// The part of an address that identifies one client: an IPv4 address, or the /64 prefix of an IPv6 address.
    package enum Network: Hashable, Sendable {
        case v4(UInt32)
        case v6(UInt64)

        /// The same as one number; IPv4 addresses are mapped to the unassigned IPv6 block `0::/32`.
        package var number: UInt64 {
            switch self {
            case .v4(let address): UInt64(address)
            case .v6(let prefix): UInt64(bigEndian: prefix)
            }
        }
    }

    /// Nil for a Unix socket, whose clients are authorised by file permissions.
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
