/// The fields of a header section that control message framing and the connection.
///
/// It prevents request smuggling: any combination that two servers could interpret differently is rejected.
struct FramingFields {
    enum Expectation { case none, proceed, unknown }

    private(set) var host: String?
    private(set) var expectation = Expectation.none
    private(set) var wantsClose = false
    private(set) var wantsKeepAlive = false
    private var contentLength: Int?
    private var hasTransferEncoding = false
    private var isChunked = false
    private var hasUnknownCoding = false

    /// Records a field.
    ///
    /// The name must be in lower case, and the value must not have surrounding whitespace.
    mutating func note(_ name: String, _ value: Span<UInt8>) throws(RequestError) {
        switch name {
        case "host": try noteHost(value)
        case "content-length": try noteContentLength(value)
        case "transfer-encoding": try noteTransferEncoding(value)
        case "connection": try noteConnection(value)
        case "expect": noteExpect(value)
        default: break
        }
    }

    /// Returns the framing of a request body for HTTP/1.1 or HTTP/1.0 (RFC 9112 §6.3).
    func bodyFraming(minorVersion: Int, maxBodyBytes: Int) throws(RequestError) -> BodyFraming {
        if hasTransferEncoding {
            guard minorVersion > 0 else { throw .transferEncodingInOldVersion }
            guard contentLength == nil else { throw .contentLengthWithTransferEncoding }
            // If chunked is not the last coding, the body's end is undefined. The status is therefore 400, not 501 (RFC
            // 9112 §6.3).
            guard isChunked else { throw .chunkedNotLast }
            guard !hasUnknownCoding else { throw .unknownTransferCoding }
            return .chunked
        }
        guard let contentLength, contentLength > 0 else { return .none }
        guard contentLength <= maxBodyBytes else { throw .bodyTooLarge(limit: maxBodyBytes) }
        return .length(contentLength)
    }

    private mutating func noteHost(_ value: Span<UInt8>) throws(RequestError) {
        guard host == nil else { throw .repeatedHost }
        guard Authority.isValid(value) else { throw .invalidHost }
        host = value.text
    }

    private mutating func noteContentLength(_ value: Span<UInt8>) throws(RequestError) {
        // RFC 9110 §8.6 allows a recipient to merge equal values, but a proxy may use a different value.
        guard contentLength == nil else { throw .repeatedContentLength }
        guard value.count > 0 else { throw .invalidContentLength }
        var length = 0
        for index in 0..<value.count {
            guard value[index].isDigit else { throw .invalidContentLength }
            let (product, overflows) = length.multipliedReportingOverflow(by: 10)
            let (sum, carries) = product.addingReportingOverflow(Int(value[index] - UInt8(ascii: "0")))
            guard !overflows, !carries else { throw .invalidContentLength }
            length = sum
        }
        contentLength = length
    }

    private mutating func noteTransferEncoding(_ value: Span<UInt8>) throws(RequestError) {
        hasTransferEncoding = true
        try value.forEachListElement { coding throws(RequestError) in try noteCoding(coding) }
    }

    private mutating func noteCoding(_ coding: Span<UInt8>) throws(RequestError) {
        let nameEnd = coding.end { $0.isToken }
        let hasParameters = nameEnd < coding.count
        guard nameEnd > 0, !hasParameters || coding[nameEnd] == .semicolon || coding[nameEnd].isWhitespace else {
            throw .invalidTransferEncoding
        }
        guard coding.extracting(..<nameEnd).matches("chunked") else {
            guard !isChunked else { throw .chunkedNotLast }
            hasUnknownCoding = true
            return
        }
        guard !isChunked else { throw .repeatedChunked }
        // Chunked transfer coding does not have parameters (RFC 9112 §7.1).
        guard !hasParameters else { throw .invalidTransferEncoding }
        isChunked = true
    }

    private mutating func noteConnection(_ value: Span<UInt8>) throws(RequestError) {
        // Options are tokens. Non-ASCII fields are not passed to handlers, so only this code would use them.
        for index in 0..<value.count where value[index] >= 0x80 { throw .invalidFieldValue }
        value.forEachListElement { option in
            if option.matches("close") { wantsClose = true }
            if option.matches("keep-alive") { wantsKeepAlive = true }
        }
    }

    private mutating func noteExpect(_ value: Span<UInt8>) {
        let isKnown = value.matches("100-continue") && expectation != .unknown
        expectation = isKnown ? .proceed : .unknown
    }
}

/// The framing of a request body.
enum BodyFraming: Hashable {
    case none
    /// A body of this many bytes, more than 0.
    case length(Int)
    case chunked
}
