import FoundationEssentials

/// The host and the port of a server.
package struct RedisEndpoint: Hashable, Sendable, CustomStringConvertible {
    /// A host name, or a numeric address without brackets.
    let host: String
    let port: UInt16

    /// Creates an endpoint.
    ///
    /// The host must consist of 1 to 255 bytes without spaces, commas and control characters; nil for another host.
    init?(host: String, port: Int) {
        let hasPlainBytes = host.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: ",") }
        guard hasPlainBytes, (1...255).contains(host.utf8.count), let port = UInt16(exactly: port), port > 0 else {
            return nil
        }
        self.host = host
        self.port = port
    }

    /// Parses `host[:port]`, with an IPv6 address in brackets.
    init?(_ text: some StringProtocol, defaultPort: Int) {
        guard let parts = URLComponents(string: "redis://\(text)"), parts.user == nil, parts.password == nil,
            parts.path.isEmpty, parts.query == nil, parts.fragment == nil
        else { return nil }
        self.init(parts, defaultPort: defaultPort)
    }

    /// Creates an endpoint with the host and the port of a URL.
    init?(_ parts: URLComponents, defaultPort: Int) {
        guard let host = parts.host else { return nil }
        let name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        self.init(host: name, port: parts.port ?? defaultPort)
    }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
