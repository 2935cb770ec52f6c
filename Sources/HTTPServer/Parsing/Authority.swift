/// Checks of `uri-host [ ":" port ]`, the Host field and the authority of a URL (RFC 9110 §7.2, RFC 3986 §3.2).
enum Authority {
    /// Whether the bytes are a host that is not empty, with an optional port.
    ///
    /// User information (`user@host`) is refused, see RFC 9110 §4.2.4.
    static func isValid(_ bytes: Span<UInt8>) -> Bool {
        var index = 0
        if bytes.count > 0, bytes[0] == UInt8(ascii: "[") {
            guard let end = bytes.firstIndex(of: UInt8(ascii: "]")), end > 2 else { return false }
            for index in 1..<end where !isAddressLiteral(bytes[index]) { return false }
            index = end + 1
        } else {
            while index < bytes.count, bytes[index] != .colon {
                if bytes[index] == UInt8(ascii: "%") {
                    guard index + 2 < bytes.count, bytes[index + 1].hexValue != nil, bytes[index + 2].hexValue != nil
                    else { return false }
                    index += 3
                } else {
                    guard bytes[index].isRegisteredName else { return false }
                    index += 1
                }
            }
            guard index > 0 else { return false }
        }
        return index == bytes.count || isPort(bytes.extracting(index..<bytes.count))
    }

    /// IPv6 addresses, and IPv4 at their end; no zone identifiers, which are only meaningful on the sending host.
    private static func isAddressLiteral(_ byte: UInt8) -> Bool {
        byte.hexValue != nil || byte == .colon || byte == UInt8(ascii: ".")
    }

    /// A colon and up to five digits; the grammar allows an empty port.
    private static func isPort(_ bytes: Span<UInt8>) -> Bool {
        guard bytes[0] == .colon, bytes.count <= 6 else { return false }
        var port = 0
        for index in 1..<bytes.count {
            guard bytes[index].isDigit else { return false }
            port = port * 10 + Int(bytes[index] - UInt8(ascii: "0"))
        }
        return port <= 65535
    }
}
