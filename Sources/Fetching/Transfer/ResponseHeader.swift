/// The relevant fields of a response header, collected from libcurl line by line.
struct ResponseHeader {
    /// Header bytes of one hop, including interim responses; browsers and proxies have similar limits.
    static let maxBytes = 64 << 10

    /// 0 until the first status line.
    private(set) var status = 0
    private(set) var isComplete = false
    /// Trimmed field values; several fields of a name are joined by commas (RFC 9110 §5.3).
    private var fields: [Field: String] = [:]
    private var receivedBytes = 0
    /// Whether a status line was received but not the end of its header.
    private var hasBegun = false

    enum Field: String {
        case age
        case bucketRegion = "x-amz-bucket-region"
        case cacheControl = "cache-control"
        case contentEncoding = "content-encoding"
        case contentRange = "content-range"
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

    /// The field if it can be repeated in other messages: visible ASCII and blanks, at most 1024 bytes.
    func repeatable(_ field: Field) -> String? {
        guard let value = fields[field], value.utf8.count <= 1024 else { return nil }
        return value.utf8.allSatisfy { 0x20...0x7E ~= $0 || $0 == 0x09 } ? value : nil
    }

    /// Appends one line including its line end.
    ///
    /// - Returns: False if the header has become too large.
    mutating func append(_ line: UnsafeRawBufferPointer) -> Bool {
        receivedBytes += line.count
        guard receivedBytes <= Self.maxBytes else { return false }
        let text = Self.trimmed(line[...])
        if !hasBegun, line.starts(with: "HTTP/".utf8) {
            // A new response begins, possibly after an interim one. Inside a header it is a field with an unusual
            // name,
            // which must not discard fields that libcurl uses.
            hasBegun = true
            fields = [:]
            status = Self.status(of: text)
        } else if line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n") {
            // Interim responses (1xx) precede the final one (RFC 9110 §15.2).
            hasBegun = false
            isComplete = !(100...199 ~= status)
        } else if line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t") {
            // A folded line (RFC 9112 §5.2): obsolete, and never used for the fields collected here.
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
