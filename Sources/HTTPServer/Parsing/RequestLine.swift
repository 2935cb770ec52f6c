import HTTPTypes

/// The first line of a request (RFC 9112 §3): method, target, version.
struct RequestLine {
    let method: HTTPRequest.Method
    /// In origin-form or asterisk-form.
    let target: String
    /// The authority of an absolute-form target; it overrides the Host field (RFC 9112 §3.2.2).
    let authority: String?
    /// 1 for HTTP/1.1, 0 for HTTP/1.0.
    let minorVersion: Int

    /// Parses a line without its CRLF.
    init(parsing line: Span<UInt8>) throws(RequestError) {
        var methodEnd = 0
        while methodEnd < line.count, line[methodEnd].isToken { methodEnd += 1 }
        guard methodEnd > 0, methodEnd < line.count, line[methodEnd] == .space else { throw .invalidMethod }

        let targetStart = methodEnd + 1
        var targetEnd = targetStart
        while targetEnd < line.count, line[targetEnd].isTarget { targetEnd += 1 }
        guard targetEnd < line.count, line[targetEnd] == .space else {
            throw targetEnd == line.count ? .invalidRequestLine : .invalidTarget
        }
        guard targetEnd > targetStart else { throw .invalidRequestLine }

        // The version is checked first: an HTTP/2 preface (`PRI * HTTP/2.0`) gets 505 regardless of its target.
        minorVersion = try Self.minorVersion(line.extracting((targetEnd + 1)...))
        method = try Self.method(line.extracting(..<methodEnd))
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
        if bytes[0] == UInt8(ascii: "/") { return (bytes.text, nil) }
        if bytes.count == 1, bytes[0] == UInt8(ascii: "*") {
            guard method == .options else { throw .invalidTarget }
            return ("*", nil)
        }
        let start = try authorityStart(bytes)
        var end = start
        while end < bytes.count, bytes[end] != UInt8(ascii: "/"), bytes[end] != UInt8(ascii: "?") { end += 1 }
        let authority = bytes.extracting(start..<end)
        guard Authority.isValid(authority) else { throw .invalidTarget }
        let rest = bytes.extracting(end...)
        // An empty path is "/" in origin-form (RFC 9112 §3.2.1).
        let hasPath = rest.count > 0 && rest[0] == UInt8(ascii: "/")
        return (hasPath ? rest.text : "/" + rest.text, authority.text)
    }

    private static func authorityStart(_ bytes: Span<UInt8>) throws(RequestError) -> Int {
        if bytes.count > 7, bytes.extracting(..<7).matches("http://") { return 7 }
        if bytes.count > 8, bytes.extracting(..<8).matches("https://") { return 8 }
        throw .invalidTarget
    }
}
