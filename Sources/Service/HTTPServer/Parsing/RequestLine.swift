import HTTPTypes

/// The first line of a request (RFC 9112 §3): method, target and version.
struct RequestLine {
    let method: HTTPRequest.Method
    /// The target in origin-form or asterisk-form.
    let target: String
    /// The authority of an absolute-form target; it overrides the Host field (RFC 9112 §3.2.2).
    let authority: String?
    /// 1 for HTTP/1.1, 0 for HTTP/1.0.
    let minorVersion: Int
    /// The length of the line in bytes.
    let bytes: Int

    /// Parses a line without its CRLF.
    init(parsing line: Span<UInt8>) throws(RequestError) {
        let methodEnd = line.end { $0.isToken }
        guard methodEnd > 0, methodEnd < line.count, line[methodEnd] == .space else { throw .invalidMethod }

        let targetStart = methodEnd + 1
        let targetEnd = line.end(of: { $0.isTarget }, from: targetStart)
        guard targetEnd < line.count, line[targetEnd] == .space else {
            throw targetEnd == line.count ? .invalidRequestLine : .invalidTarget
        }
        guard targetEnd > targetStart else { throw .invalidRequestLine }

        // The version is checked first, so that an HTTP/2 preface (`PRI * HTTP/2.0`) gets 505 regardless of its target.
        minorVersion = try Self.minorVersion(line.extracting((targetEnd + 1)...))
        method = try Self.method(line.extracting(..<methodEnd))
        bytes = line.count
        // bounded: the search for the end begins at the start
        (target, authority) = try Self.target(line.extracting(targetStart..<targetEnd), method: method)
    }

    private static func minorVersion(_ bytes: Span<UInt8>) throws(RequestError) -> Int {
        guard bytes.count == 8, bytes.extracting(..<5).text == "HTTP/", bytes[5].isDigit, bytes[6] == UInt8(ascii: "."),
            bytes[7].isDigit
        else { throw .invalidVersion }
        guard bytes[5] == UInt8(ascii: "1"), bytes[7] <= UInt8(ascii: "1") else { throw .unsupportedVersion }
        return Int(bytes[7] - UInt8(ascii: "0"))
    }

    private static func method(_ bytes: Span<UInt8>) throws(RequestError) -> HTTPRequest.Method {
        // Methods are case-sensitive (RFC 9110 §9.1).
        guard let method = HTTPRequest.Method(bytes.text) else { throw .invalidMethod }
        guard method != .connect else { throw .connectMethod }
        return method
    }

    private static func target(
        _ bytes: Span<UInt8>,
        method: HTTPRequest.Method
    ) throws(RequestError) -> (target: String, authority: String?) {
        // bounded: a target is not empty
        if bytes[0] == UInt8(ascii: "/") { return (bytes.text, nil) }
        if bytes.count == 1, bytes[0] == UInt8(ascii: "*") {
            guard method == .options else { throw .invalidTarget }
            return ("*", nil)
        }
        let start = try authorityStart(bytes)
        let end = bytes.end(of: { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }, from: start)
        // bounded: the search for the end begins at the start
        let authority = bytes.extracting(start..<end)
        guard Authority.isValid(authority) else { throw .invalidTarget }
        let rest = bytes.extracting(end...)
        // An empty path becomes "/" in origin-form (RFC 9112 §3.2.1).
        let hasPath = rest.count > 0 && rest[0] == UInt8(ascii: "/")
        return (hasPath ? rest.text : "/" + rest.text, authority.text)
    }

    private static func authorityStart(_ bytes: Span<UInt8>) throws(RequestError) -> Int {
        if bytes.count > 7, bytes.extracting(..<7).matches("http://") { return 7 }
        if bytes.count > 8, bytes.extracting(..<8).matches("https://") { return 8 }
        throw .invalidTarget
    }
}

/// Validation of `uri-host [ ":" port ]`, as in the Host field and in the authority of a URL (RFC 9110 §7.2, RFC 3986
/// §3.2).
enum Authority {
    /// Whether the bytes are a non-empty host with an optional port.
    ///
    /// User information (`user@host`) is rejected: see RFC 9110 §4.2.4.
    static func isValid(_ bytes: Span<UInt8>) -> Bool {
        var index = 0
        if bytes.count > 0, bytes[0] == UInt8(ascii: "[") {
            guard let end = bytes.firstIndex(of: UInt8(ascii: "]")), end > 2 else { return false }
            // bounded: the end is above 2
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

    /// Whether the byte can be part of an IPv6 address, which may end with an IPv4 address.
    ///
    /// Zone identifiers are rejected, because they are meaningful only on the sending host.
    private static func isAddressLiteral(_ byte: UInt8) -> Bool {
        byte.hexValue != nil || byte == .colon || byte == UInt8(ascii: ".")
    }

    /// Whether the bytes are a colon and up to five digits.
    ///
    /// The syntax allows an empty port.
    private static func isPort(_ bytes: Span<UInt8>) -> Bool {
        // bounded: called only with bytes
        guard bytes[0] == .colon, bytes.count <= 6 else { return false }
        var port = 0
        for index in 1..<bytes.count {
            guard bytes[index].isDigit else { return false }
            port = port * 10 + Int(bytes[index] - UInt8(ascii: "0"))
        }
        return port <= 65535
    }
}
