package import Admission
import UntrustedText
import CLinux
import Glibc

/// The address of a client, such as `127.0.0.1:5123`, `[::1]:5123`, `unix`, or `192.0.2.1` behind a proxy.
///
/// An IPv4 client of a dual-stack socket has an IPv4 address.
package struct PeerAddress: Sendable, Hashable, CustomStringConvertible {
    /// The numeric IP address, without brackets; nil for a Unix socket.
    package let host: String?
    /// The client's TCP port; nil for a Unix socket, and for a client behind a proxy.
    package let port: UInt16?
    package let description: String

    /// A client of a Unix socket, which does not have an address.
    package static let unix = PeerAddress(host: nil, port: nil, description: "unix")
}

extension PeerAddress {
    /// Creates the address of a client whose port is unknown, because a proxy reported the address.
    package init(host: String) { self.init(host: host, port: nil, description: host) }

    /// Creates the address of a TCP client.
    ///
    /// - Parameters:
    ///   - host: The numeric IP address, without brackets.
    ///   - port: The client's port.
    package init(host: String, port: UInt16) {
        self.init(host: host, port: port, description: ListenAddress.tcp(host: host, port: port).description)
    }

    init(_ address: sockaddr_storage) {
        let capacity = Int(HR_HOST_CAPACITY)
        var port: Int32 = -1
        let host = withUnsafePointer(to: address) { address in
            String(unsafeUninitializedCapacity: capacity) { buffer in
                buffer.withMemoryRebound(to: CChar.self) { characters in
                    guard let base = characters.baseAddress else { return 0 }
                    port = hr_describe(address, base)
                    return port < 0 ? 0 : characters.firstIndex(of: 0) ?? 0
                }
            }
        }
        if let port = UInt16(exactly: port) {
            self.init(host: host, port: port)
        } else {
            self = .unix
        }
    }

    /// The part of an address that identifies one client: an IPv4 address, or the /64 prefix of an IPv6 address.
    package enum Network: Hashable, Sendable {
        case v4(UInt32)
        case v6(UInt64)

        /// The network as one number.
        ///
        /// IPv4 addresses are mapped to the unassigned IPv6 block `0::/32`.
        package var number: UInt64 {
            switch self {
            case .v4(let address): UInt64(address)
            case .v6(let prefix): UInt64(bigEndian: prefix)
            }
        }
    }

    /// The client that is charged for requests from this address; nil for a Unix socket.
    package var client: Client? { network.map { .network($0.number) } }

    /// The network; nil for a Unix socket, where file permissions authorise clients.
    package var network: Network? {
        guard let host else { return nil }
        var v4 = in_addr()
        if inet_pton(AF_INET, host, &v4) == 1 { return .v4(v4.s_addr) }
        var v6 = in6_addr()
        guard let address = host.bytes.split(separator: "%").first, inet_pton(AF_INET6, String(address), &v6) == 1
        else {
            return nil
        }
        return .v6(withUnsafeBytes(of: v6) { $0.loadUnaligned(as: UInt64.self) })
    }
}
