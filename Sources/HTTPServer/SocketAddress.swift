import CLinux

/// Where a server listens.
package enum ListenAddress: Sendable, Hashable {
    /// A TCP port. `host` is an IPv4 address, an IPv6 address without brackets, or a name, of which every address is
    /// bound. `"::"` takes IPv4 connections as well. Port 0 asks the kernel for a free one.
    case tcp(host: String, port: UInt16)

    /// A Unix socket. A socket file that nobody listens on any more is replaced; anything else at `path` is an error.
    case unix(path: String)

    /// A socket that listens already, made by whoever started this process. It is not bound, and its file stays.
    case inherited(descriptor: Int32)

    /// The TCP port; nil for a Unix socket.
    package var port: UInt16? {
        guard case .tcp(_, let port) = self else { return nil }
        return port
    }
}

/// Where a server really listens: the address that was asked for, with the port the kernel chose in place of 0.
package typealias BoundAddress = ListenAddress

extension ListenAddress: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path): "unix:\(path)"
        case .inherited(let descriptor): "descriptor \(descriptor)"
        }
    }
}

/// Who sent a request, for logs: `127.0.0.1:5123`, `[::1]:5123`, or `unix`.
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
