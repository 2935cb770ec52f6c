import HTTPTypes

/// Reads request lines and header sections, however they are split on arrival.
struct HeadParser {
    private let limits: HTTPServer.Configuration
    private var line: RequestLine?
    private var headers = HTTPFields()
    private var rules = FramingFields()
    private var section: FieldSectionLimit
    /// Whether a part of this head has been consumed.
    private(set) var hasBegun = false

    init(limits: HTTPServer.Configuration) {
        self.limits = limits
        section = FieldSectionLimit(limits)
    }

    /// The next head, or nil while its end has not arrived.
    mutating func next(_ input: inout InputBuffer) throws(RequestError) -> RequestHead? {
        if line == nil {
            line = try requestLine(&input)
        }
        guard let line else { return nil }
        while let length = try section.lineLength(&input) {
            guard length > 0 else {
                input.consume(2)
                let head = try RequestHead(
                    line: line,
                    headers: headers,
                    rules: rules,
                    maxBodyBytes: limits.maxBodyBytes
                )
                self = HeadParser(limits: limits)
                return head
            }
            try field(input.storage.span.extracting(input.start..<input.start + length))
            input.consume(length + 2)
        }
        return nil
    }

    /// What is known of the method before the head is complete.
    var method: HTTPRequest.Method? { line?.method }

    private mutating func requestLine(_ input: inout InputBuffer) throws(RequestError) -> RequestLine? {
        let limit = limits.maxRequestLineBytes
        while let length = try input.lineLength(atMost: limit, tooLong: .requestLineTooLong(limit: limit)) {
            if length == 0 {
                // One empty line is tolerated, as old clients end their bodies with an extra CRLF (RFC 9112 §2.2).
                guard !hasBegun else { throw .emptyLineBeforeRequest }
                input.consume(2)
                hasBegun = true
                continue
            }
            let line = try RequestLine(parsing: input.storage.span.extracting(input.start..<input.start + length))
            input.consume(length + 2)
            hasBegun = true
            return line
        }
        return nil
    }

    private mutating func field(_ line: Span<UInt8>) throws(RequestError) {
        let parts = try FieldLine(parsing: line)
        guard let name = HTTPField.Name(line.extracting(parts.name).text) else { throw .invalidFieldName }
        let value = line.extracting(parts.value)
        try rules.note(name.canonicalName, value)
        headers.append(value.withUnsafeBufferPointer { HTTPField(name: name, value: $0) })
    }
}

/// Counts the lines and bytes of one header or trailer section against the limits.
struct FieldSectionLimit {
    private let maxBytes: Int
    private let maxCount: Int
    private var bytes = 0
    private var count = 0

    init(_ limits: HTTPServer.Configuration) {
        maxBytes = limits.maxHeaderBytes
        maxCount = limits.maxHeaderCount
    }

    /// The length of the next line without its CRLF, 0 for the section's end, or nil while it has not arrived.
    mutating func lineLength(_ input: inout InputBuffer) throws(RequestError) -> Int? {
        guard
            let length = try input.lineLength(atMost: maxBytes - bytes, tooLong: .headerTooLarge(limit: maxBytes))
        else { return nil }
        guard length > 0 else { return 0 }
        bytes += length + 2
        count += 1
        guard bytes <= maxBytes else { throw .headerTooLarge(limit: maxBytes) }
        guard count <= maxCount else { throw .tooManyFields(limit: maxCount) }
        return length
    }
}
