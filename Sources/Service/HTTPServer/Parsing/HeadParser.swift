import HTTPTypes
import UntrustedText

/// Parses request lines and header sections incrementally.
struct HeadParser {
    private let limits: ServerConfiguration
    private var line: RequestLine?
    private var headers = HTTPFields()
    private var rules = FramingFields()
    private var section: FieldSectionLimit
    /// Whether a part of the current head has been consumed.
    private(set) var hasBegun = false
    /// The names of the previous head's fields.
    ///
    /// A client usually sends the same names in the same order.
    private var names: [HTTPField.Name] = []

    /// Maximum number of names that are stored for the next head.
    private static let maxNames = 32

    init(limits: ServerConfiguration) {
        self.limits = limits
        section = FieldSectionLimit(limits)
    }

    /// Returns the next head, or nil until it is complete.
    mutating func next(_ input: inout InputBuffer) throws(RequestError) -> RequestHead? {
        if line == nil {
            line = try requestLine(&input)
        }
        guard let line else { return nil }
        while let length = try section.lineLength(&input) {
            guard length > 0 else {
                input.consume(2)
                let maximum = limits.maxBodyBytes
                let bytes = section.bytes + line.bytes
                let head = try RequestHead(line, headers, bytes: bytes, rules: rules, maxBodyBytes: maximum)
                let names = self.names
                self = HeadParser(limits: limits)
                self.names = names
                return head
            }
            // bounded: the line is in the buffer
            try field(input.storage.span.extracting(input.start..<input.start + length))
            input.consume(length + 2)
        }
        return nil
    }

    /// The method; nil until the request line is complete.
    var method: HTTPRequest.Method? { line?.method }

    private mutating func requestLine(_ input: inout InputBuffer) throws(RequestError) -> RequestLine? {
        let limit = limits.maxRequestLineBytes
        while let length = try input.lineLength(atMost: limit, tooLong: .requestLineTooLong(limit: limit)) {
            if length == 0 {
                // One empty line is accepted, because old clients send an extra CRLF after a body (RFC 9112 §2.2).
                guard !hasBegun else { throw .emptyLineBeforeRequest }
                input.consume(2)
                hasBegun = true
                continue
            }
            // bounded: the line is in the buffer
            let line = try RequestLine(parsing: input.storage.span.extracting(input.start..<input.start + length))
            input.consume(length + 2)
            hasBegun = true
            return line
        }
        return nil
    }

    private mutating func field(_ line: Span<UInt8>) throws(RequestError) {
        let parts = try FieldLine(parsing: line)
        guard let name = name(line.extracting(parts.name)) else { throw .invalidFieldName }
        let value = line.extracting(parts.value)
        try rules.note(name.canonicalName, value)
        // All fields that a handler needs are ASCII. Without other fields, handlers cannot accidentally compare, hash
        // or split fields by the rules of Unicode.
        guard value.isASCII else { return }
        headers.append(value.withUnsafeBufferPointer { HTTPField(name: name, value: $0) })
    }

    /// Returns the name of the next field; nil if it is invalid.
    ///
    /// If the previous head has the same name at the same position, this name is reused.
    private mutating func name(_ bytes: Span<UInt8>) -> HTTPField.Name? {
        let place = headers.count
        if place < names.count, bytes.equals(names[place].rawName) { return names[place] }
        guard let name = HTTPField.Name(bytes.text) else { return nil }
        if place < names.count {
            names[place] = name
        } else if place < Self.maxNames {
            names.append(name)
        }
        return name
    }
}

/// One line of a header or trailer section (RFC 9112 §5), as ranges of the line.
struct FieldLine {
    let name: Range<Int>
    let value: Range<Int>

    /// Parses a line without its CRLF.
    init(parsing line: Span<UInt8>) throws(RequestError) {
        // Obsolete line folding, or whitespace before the first field (RFC 9112 §2.2, §5.2).
        // bounded: a line of length 0 has already ended the section
        guard !line[0].isWhitespace else { throw .foldedLine }
        let colon = line.end { $0.isToken }
        guard colon > 0, colon < line.count else { throw .invalidFieldName }
        guard line[colon] == .colon else {
            throw line[colon].isWhitespace ? .whitespaceBeforeColon : .invalidFieldName
        }
        // bounded: the colon follows the name
        name = 0..<colon

        value = line.trimmed((colon + 1)..<line.count)
        for index in value where !line[index].isFieldContent {
            // The invalid bytes include CR and NUL (RFC 9110 §5.5).
            throw .invalidFieldValue
        }
    }
}

/// Enforces the line and byte limits of one header or trailer section.
struct FieldSectionLimit {
    private let maxBytes: Int
    private let maxCount: Int
    /// The number of bytes of all lines so far.
    private(set) var bytes = 0
    private var count = 0

    init(_ limits: ServerConfiguration) {
        maxBytes = limits.maxHeaderBytes
        maxCount = limits.maxHeaderCount
    }

    /// Returns the length of the next line without CRLF.
    ///
    /// 0 means the end of the section; nil means that the line is not complete.
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
