import CLinux

/// The address of a client: `127.0.0.1:5123`, `[::1]:5123`, or `unix`.
///
/// An IPv4 client of a dual-stack socket is described as IPv4.
package struct PeerAddress: Sendable, Hashable, CustomStringConvertible {
    /// The numeric IP address, without brackets; nil for a Unix socket.
    package let host: String?

    /// The client's TCP port; nil for a Unix socket.
    package let port: UInt16?

    package let description: String

    /// A client of a Unix socket, which has no address.
    package static let unix = PeerAddress(host: nil, port: nil, description: "unix")

    /// A TCP client.
    package init(host: String, port: UInt16) {
        self.init(host: host, port: port, description: ListenAddress.tcp(host: host, port: port).description)
    }

    private init(host: String?, port: UInt16?, description: String) {
        self.host = host
        self.port = port
        self.description = description
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
}
