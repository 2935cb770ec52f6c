import HTTPTypes

/// Parses request lines and header sections incrementally.
struct HeadParser {
    private let limits: ServerConfiguration
    private var line: RequestLine?
    private var headers = HTTPFields()
    private var rules = FramingFields()
    private var section: FieldSectionLimit
    /// Whether a part of the current head has been consumed.
    private(set) var hasBegun = false

    init(limits: ServerConfiguration) {
        self.limits = limits
        section = FieldSectionLimit(limits)
    }

    /// The next head, or nil until it is complete.
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

    /// The method, if the request line is complete.
    var method: HTTPRequest.Method? { line?.method }

    private mutating func requestLine(_ input: inout InputBuffer) throws(RequestError) -> RequestLine? {
        let limit = limits.maxRequestLineBytes
        while let length = try input.lineLength(atMost: limit, tooLong: .requestLineTooLong(limit: limit)) {
            if length == 0 {
                // One empty line is tolerated: old clients send an extra CRLF after a body (RFC 9112 §2.2).
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
