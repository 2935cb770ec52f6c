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

extension ListenAddress {
    /// Reads what ``description`` writes: `127.0.0.1:9090`, `[::1]:9090`, `name:9090` or `unix:/path`; nil for anything
    /// else.
    package init?(_ text: String) {
        if text.hasPrefix("unix:") {
            let path = text.dropFirst("unix:".count)
            guard (1...Self.maxPathBytes).contains(path.utf8.count) else { return nil }
            self = .unix(path: String(path))
            return
        }
        guard let colon = text.lastIndex(of: ":") else { return nil }
        var host = text[..<colon]
        let digits = text[text.index(after: colon)...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let port = UInt16(digits)
        else { return nil }
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
            guard host.contains(":") else { return nil }
        } else if host.contains(where: { ":[]".contains($0) }) {
            return nil
        }
        guard !host.isEmpty, !host.contains("/") else { return nil }
        self = .tcp(host: String(host), port: port)
    }

    /// The longest path of a Unix socket, in bytes; see unix(7).
    package static let maxPathBytes = 107
}

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
