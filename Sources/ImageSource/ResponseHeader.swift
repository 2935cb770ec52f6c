/// What matters of a response's header, collected line by line as libcurl hands it over.
struct ResponseHeader {
    /// Header bytes of one hop, interim responses included; browsers and proxies stop at similar sizes.
    static let maxBytes = 64 << 10

    /// 0 until the first status line.
    private(set) var status = 0
    private(set) var isComplete = false
    /// Each as in `Content-Length: 5`, blanks trimmed; several fields of a name joined by commas (RFC 9110 §5.3).
    private var fields: [Field: String] = [:]
    private var receivedBytes = 0

    enum Field: String {
        case age
        case cacheControl = "cache-control"
        case contentEncoding = "content-encoding"
        case contentLength = "content-length"
        case contentType = "content-type"
        case date
        case etag
        case expires
        case lastModified = "last-modified"
        case location
        case transferEncoding = "transfer-encoding"
    }

    subscript(field: Field) -> String? {
        fields[field]
    }

    /// The field if it can be repeated to others: visible ASCII and blanks, at most 1024 bytes.
    func repeatable(_ field: Field) -> String? {
        guard let value = fields[field], value.utf8.count <= 1024 else { return nil }
        return value.utf8.allSatisfy { 0x20...0x7E ~= $0 || $0 == 0x09 } ? value : nil
    }

    /// Takes one line with its line end.
    ///
    /// - Returns: False when the header has become too large.
    mutating func append(_ line: UnsafeRawBufferPointer) -> Bool {
        receivedBytes += line.count
        guard receivedBytes <= Self.maxBytes else { return false }
        let text = Self.trimmed(line[...])
        if line.starts(with: "HTTP/".utf8) {
            // A new response begins, perhaps after an interim one.
            fields = [:]
            status = Self.status(of: text)
        } else if line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n") {
            // Interim responses (1xx) precede the real one (RFC 9110 §15.2).
            isComplete = !(100...199 ~= status)
        } else if line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t") {
            // A folded line (RFC 9112 §5.2): obsolete, and none of the fields here is ever so long.
        } else if let colon = text.firstIndex(of: UInt8(ascii: ":")) {
            let name = String(decoding: text[..<colon], as: UTF8.self).lowercased()
            guard let field = Field(rawValue: name) else { return true }
            let value = String(decoding: Self.trimmed(text[(colon + 1)...]), as: UTF8.self)
            fields[field] = fields[field].map { "\($0), \(value)" } ?? value
        }
        return true
    }

    private static func status(of line: Slice<UnsafeRawBufferPointer>) -> Int {
        let digits = line.drop { $0 != UInt8(ascii: " ") }.dropFirst().prefix(3)
        return Int(String(decoding: digits, as: UTF8.self)) ?? 0
    }

    private static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        let start = bytes.drop { $0 <= 0x20 }
        guard let last = start.lastIndex(where: { $0 > 0x20 }) else { return start.prefix(0) }
        return start[...last]
    }
}
