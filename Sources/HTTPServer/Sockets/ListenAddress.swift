/// An address on which a server listens.
package enum ListenAddress: Sendable, Hashable {
    /// A TCP port. `host` is an IPv4 address, an IPv6 address without brackets, or a name; all addresses of a name are
    /// bound. `"::"` accepts IPv4 connections as well. With port 0 the kernel assigns a free port.
    case tcp(host: String, port: UInt16)

    /// A Unix socket. A stale socket file is replaced; any other file at `path` is an error.
    case unix(path: String)

    /// A listening socket inherited from the parent process. It is not bound again, and its file is not removed.
    case inherited(descriptor: Int32)

    /// The URL by which a browser on this host reaches a TCP port; nil for a Unix socket.
    package var page: String? {
        guard case .tcp(let host, let port) = self else { return nil }
        let isHere = ["127.0.0.1", "0.0.0.0", "::1", "::", "localhost"].contains(host)
        return "http://\(isHere ? "localhost:\(port)" : description)"
    }

    /// The TCP port; nil for a Unix socket.
    package var port: UInt16? {
        guard case .tcp(_, let port) = self else { return nil }
        return port
    }
}

/// The actual address of a listener: the requested address, with the assigned port in place of 0.
package typealias BoundAddress = ListenAddress

extension ListenAddress {
    /// Parses the format of ``description``: `127.0.0.1:9090`, `[::1]:9090`, `name:9090` or `unix:/path`; nil for any
    /// other text.
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
