import UntrustedText
import CLinux
import Glibc

/// A listening address of a server.
package enum ListenAddress: Sendable, Hashable, CustomStringConvertible {
    /// A TCP port.
    ///
    /// `host` is an IPv4 address, an IPv6 address without brackets, or a name; the server listens on all addresses of a
    /// name. `"::"` also accepts IPv4 connections, and means `0.0.0.0` if IPv6 is disabled. With port 0, the kernel
    /// assigns a free port.
    case tcp(host: String, port: UInt16)

    /// A Unix socket.
    ///
    /// A stale socket file is replaced; any other file at `path` is an error.
    case unix(path: String)

    /// A listening socket inherited from the parent process.
    ///
    /// It is not bound again, and its file is not removed.
    case inherited(descriptor: Int32)

    /// The URL of a TCP port, for a browser on this host; nil for a Unix socket.
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

/// The actual address of a listener: the requested address, in which the assigned port replaces port 0.
package typealias BoundAddress = ListenAddress

extension ListenAddress {
    /// All IPv6 addresses of this machine.
    ///
    /// ``Listener`` also uses it for all IPv4 addresses.
    static let wildcard = "::"

    /// All IPv4 addresses of this machine.
    static let wildcardOfIPv4 = "0.0.0.0"

    /// Parses the format of ``description``: `127.0.0.1:9090`, `[::1]:9090`, `name:9090` or `unix:/path`; nil for any
    /// other text.
    package init?(_ text: String) {
        if text.bytes.hasPrefix("unix:") {
            let path = text.dropFirst("unix:".count)
            guard (1...Self.maxPathBytes).contains(path.utf8.count) else { return nil }
            self = .unix(path: String(path))
            return
        }
        guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) else { return nil }
        var host = text[..<colon]
        let digits = text[text.index(after: colon)...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            // bounded: other text returns nil
            let port = UInt16(digits)
        else { return nil }
        if host.bytes.hasPrefix("["), host.bytes.hasSuffix("]") {
            host = host.dropFirst().dropLast()
            guard host.bytes.contains(":") else { return nil }
        } else if host.contains(where: { ":[]".contains($0) }) {
            return nil
        }
        guard !host.isEmpty, !host.bytes.contains("/") else { return nil }
        self = .tcp(host: String(host), port: port)
    }

    /// The maximum length of the path of a Unix socket, in bytes; see unix(7).
    package static let maxPathBytes = 107

    package var description: String {
        switch self {
        case .tcp(let host, let port): host.bytes.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path): "unix:\(path)"
        case .inherited(let descriptor): "descriptor \(descriptor)"
        }
    }
}

/// The socket addresses for a host name or a numeric address.
struct ResolvedAddresses {
    /// One IPv4 or IPv6 address.
    struct Entry {
        fileprivate var storage: sockaddr_storage
        fileprivate var length: socklen_t

        /// Calls `body` with the address, with its port replaced.
        func withPort<Result>(_ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
            var copy = storage
            return withUnsafeMutableBytes(of: &copy) { bytes in
                // In sockaddr_in and sockaddr_in6, the port is the 16 bits after the address family.
                bytes.storeBytes(of: port.bigEndian, toByteOffset: 2, as: UInt16.self)
                return bytes.withMemoryRebound(to: sockaddr.self) { addresses in
                    // This is never nil, because the size of sockaddr_storage is not 0.
                    addresses.baseAddress.map { body($0, length) }
                }
            } ?? body([sockaddr()], 0)
        }
    }

    let entries: [Entry]

    /// Resolves a name or a numeric address with getaddrinfo(3).
    ///
    /// `action` is used in the error text.
    init(host: String, port: UInt16, action: String) throws(SocketError) {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_PASSIVE
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, nil, &hints, &list)
        guard status == 0 else {
            let isSystem = status == EAI_SYSTEM
            throw SocketError(action: action, call: "getaddrinfo", errno: isSystem ? errno : status)
        }
        defer { freeaddrinfo(list) }
        var entries: [Entry] = []
        var next = list
        while let info = next?.pointee {
            next = info.ai_next
            guard let address = info.ai_addr, info.ai_family == AF_INET || info.ai_family == AF_INET6 else { continue }
            var storage = sockaddr_storage()
            withUnsafeMutableBytes(of: &storage) { bytes in
                bytes.copyMemory(from: UnsafeRawBufferPointer(start: address, count: Int(info.ai_addrlen)))
            }
            // /etc/hosts often contains the same address twice.
            let isKnown = entries.contains { known in
                withUnsafeBytes(of: known.storage) { known in
                    withUnsafeBytes(of: storage) { known.elementsEqual($0) }
                }
            }
            if !isKnown { entries.append(Entry(storage: storage, length: info.ai_addrlen)) }
        }
        self.entries = entries
    }
}
