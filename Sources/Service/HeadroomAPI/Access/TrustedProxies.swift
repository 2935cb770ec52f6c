import UntrustedText
import Fetching
package import HTTPServer
package import HTTPTypes

/// The proxies whose forwarding headers are trusted to name the client's address.
///
/// Any client can send `X-Forwarded-For`. Trusted proxies append to it, so it is read from right to left, up to the
/// first address that is not a trusted proxy: the client. Everything to the left of this address may be forged.
package struct TrustedProxies: Sendable, Equatable {
    /// The maximum number of networks.
    package static let maxNetworks = 512
    /// The maximum number of proxies in a row; the address before them counts as the client.
    package static let maxHops = 16
    /// The maximum length of a member of `X-Forwarded-For`, in bytes: more than an IPv6 address in brackets with a
    /// port.
    static let maxAddressBytes = 64
    /// The maximum length of a member of `Forwarded`, in bytes.
    static let maxElementBytes = 512

    /// The predicate of the message about an invalid list.
    package static let expected =
        "comma-separated addresses or networks such as 10.0.0.0/8 and 2001:db8::/32, or unix; at most \(maxNetworks)"

    private var networks: [IPNetwork] = []
    /// Whether every client of a Unix socket is a trusted proxy.
    private var includesUnixSockets = false
    /// The list as configured.
    private var text = ""

    /// Creates an empty list.
    package init() {}

    /// Parses a comma-separated list; nil for any other text.
    ///
    /// Its elements are addresses, networks, and `unix` for the clients of Unix sockets.
    ///
    /// Rejects a network that contains all addresses, because every client could then choose its own address.
    package init?(_ text: String) {
        self.text = text
        let members = text.bytes.split(separator: ",", omittingEmptySubsequences: false)
        guard members.count <= Self.maxNetworks else { return nil }
        for member in members {
            let name = member.bytes.withoutSpaces()
            if name == "unix" {
                includesUnixSockets = true
            } else if let network = Self.network(name) {
                networks.append(network)
            } else {
                return nil
            }
        }
    }

    private static func network(_ text: String) -> IPNetwork? {
        if let address = IPAddress(text)?.unmapped {
            switch address {
            case .v4: return IPNetwork("\(address)/32")
            case .v6: return IPNetwork("\(address)/128")
            }
        }
        guard let network = IPNetwork(text), network.prefixLength > 0 else { return nil }
        // ::ffff:10.0.0.0/104 is 10.0.0.0/8.
        guard case .v4 = network.base.unmapped, case .v6 = network.base else { return network }
        return network.prefixLength > 96 ? IPNetwork("\(network.base.unmapped)/\(network.prefixLength - 96)") : nil
    }

    /// The list as configured; nil without proxies.
    package var description: String? { text.isEmpty ? nil : text }

    /// Whether connections from an address come from a trusted proxy.
    package func contains(_ peer: PeerAddress) -> Bool {
        guard let host = peer.host else { return includesUnixSockets }
        // Only link-local addresses have a zone, which is not a part of the network.
        let address = host.utf8.firstIndex(of: UInt8(ascii: "%")).map { String(host[..<$0]) } ?? host
        return IPAddress(address).map { contains($0.unmapped) } ?? false
    }

    private func contains(_ address: IPAddress) -> Bool { networks.contains { $0.contains(address) } }

    /// Returns the client that sent a request through a trusted proxy.
    ///
    /// - Parameters:
    ///   - peer: The address of the connection.
    ///   - headers: The fields of the request.
    /// - Returns: Nil if `peer` is itself the client, if the proxy does not name an address, or if `X-Forwarded-For`
    ///   and `Forwarded` name different addresses. A proxy writes only one of these fields, so the client may have
    ///   written the other field.
    package func client(behind peer: PeerAddress, _ headers: HTTPFields) -> PeerAddress? {
        guard !text.isEmpty, contains(peer) else { return nil }
        let hasBoth = headers.contains(.xForwardedFor) && headers.contains(.forwarded)
        let old = address(in: headers, .xForwardedFor, atMost: Self.maxAddressBytes, IPAddress.init(forwardedNode:))
        let new = address(in: headers, .forwarded, atMost: Self.maxElementBytes, IPAddress.init(forwardedElement:))
        guard let address = old ?? new, !hasBoth || old == new else { return nil }
        return PeerAddress(host: "\(address)")
    }

    /// Returns the last address in a field that is not a trusted proxy.
    ///
    /// If all addresses are trusted proxies, returns the first address.
    private func address(
        in headers: HTTPFields,
        _ name: HTTPField.Name,
        atMost limit: Int,
        _ parse: (Slice<UnsafeBufferPointer<UInt8>>) -> IPAddress?
    ) -> IPAddress? {
        var found: IPAddress?
        var hops = 0
        for field in headers.reversed() where field.name == name {
            let isOver = field.withUnsafeBytesOfValue { bytes in
                var end = bytes.endIndex
                while true {
                    let start = bytes[..<end].startOfLastMember
                    // bounded: the start is in the bytes before the end
                    let member = bytes[start..<end].withoutBlanks
                    if !member.isEmpty {
                        hops += 1
                        guard hops <= Self.maxHops, member.count <= limit, let address = parse(member) else {
                            return true
                        }
                        found = address
                        if !contains(address) { return true }
                    }
                    guard start > bytes.startIndex else { return false }
                    end = start - 1
                }
            }
            if isOver { break }
        }
        return found
    }
}

extension IPAddress {
    /// The IPv4 address of an IPv4-mapped IPv6 address (`::ffff:192.0.2.1`); for other addresses, the address itself.
    fileprivate var unmapped: IPAddress {
        guard case .v6(let value) = self, value >> 32 == 0xFFFF else { return self }
        return .v4(UInt32(truncatingIfNeeded: value))
    }

    /// Parses a member of `X-Forwarded-For`: an address, optionally in brackets or quotes, or with a port; nil for any
    /// other text, such as `unknown`.
    fileprivate init?(forwardedNode text: Slice<UnsafeBufferPointer<UInt8>>) {
        var text = text
        if text.first == .quote {
            guard text.count >= 2, text.last == .quote else { return nil }
            text = text.dropFirst().dropLast()
        }
        var port: Slice<UnsafeBufferPointer<UInt8>>?
        if text.first == UInt8(ascii: "[") {
            guard let end = text.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            if end + 1 < text.endIndex {
                guard text[end + 1] == .colon else { return nil }
                port = text[(end + 2)...]
            }
            // bounded: the opening bracket is before the closing bracket
            text = text[(text.startIndex + 1)..<end]
            guard text.contains(.colon) else { return nil }
        } else if let colon = text.firstIndex(of: .colon), !text[(colon + 1)...].contains(.colon) {
            port = text[(colon + 1)...]
            text = text[..<colon]
        }
        if let port {
            guard (1...5).contains(port.count), port.allSatisfy({ (48...57).contains($0) }) else { return nil }
        }
        self.init(ascii: text)
    }

    /// Parses the parameter `for` of a member of `Forwarded` (RFC 7239); nil if it is missing, or for an unknown or
    /// obfuscated node.
    fileprivate init?(forwardedElement text: Slice<UnsafeBufferPointer<UInt8>>) {
        // An address never needs an escape inside its quotes.
        guard !text.contains(UInt8(ascii: "\\")) else { return nil }
        var rest = text
        var node: Slice<UnsafeBufferPointer<UInt8>>?
        while !rest.isEmpty {
            var isQuoted = false
            let end = rest.firstIndex { byte in
                if byte == .quote { isQuoted.toggle() }
                return byte == UInt8(ascii: ";") && !isQuoted
            }
            let pair = rest[..<(end ?? rest.endIndex)].withoutBlanks
            // bounded: the index is the position of a byte
            rest = end.map { rest[($0 + 1)...] } ?? rest[rest.endIndex...]
            guard let sign = pair.firstIndex(of: UInt8(ascii: "=")) else { continue }
            guard pair[..<sign].map({ $0 | 0x20 }) == Array("for".utf8) else { continue }
            // RFC 7239 §4: a parameter must not occur more than once.
            guard node == nil else { return nil }
            node = pair[(sign + 1)...]
        }
        guard let node, node.count <= TrustedProxies.maxAddressBytes else { return nil }
        self.init(forwardedNode: node)
    }

    private init?(ascii text: Slice<UnsafeBufferPointer<UInt8>>) {
        // inet_pton(3) stops at a zero byte.
        guard !text.isEmpty, text.allSatisfy({ $0 > 0 && $0 < 0x80 }) else { return nil }
        guard let address = IPAddress(String(decoding: text, as: UTF8.self)) else { return nil }
        self = address.unmapped
    }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
    /// The index after the last comma outside quotes.
    ///
    /// Pairs quotes from the right, so that a quote that a client left open does not hide the text that a proxy added.
    fileprivate var startOfLastMember: Index {
        var isQuoted = false
        let comma = lastIndex { byte in
            if byte == .quote { isQuoted.toggle() }
            return byte == UInt8(ascii: ",") && !isQuoted
        }
        return comma.map { $0 + 1 } ?? startIndex
    }

    /// The bytes without spaces and tabs at both ends.
    fileprivate var withoutBlanks: Self {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        var text = drop(while: isBlank)
        while let last = text.last, isBlank(last) { text = text.dropLast() }
        return text
    }
}

extension UInt8 {
    fileprivate static let quote = UInt8(ascii: "\"")
    fileprivate static let colon = UInt8(ascii: ":")
}
