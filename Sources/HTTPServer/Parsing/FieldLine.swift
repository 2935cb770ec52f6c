/// One line of a header or trailer section (RFC 9112 §5), as ranges of the line.
struct FieldLine {
    let name: Range<Int>
    let value: Range<Int>

    /// Parses a line without its CRLF.
    init(parsing line: Span<UInt8>) throws(RequestError) {
        // Obsolete line folding, or whitespace before the first field (RFC 9112 §2.2, §5.2).
        guard !line[0].isWhitespace else { throw .foldedLine }
        var colon = 0
        while colon < line.count, line[colon].isToken { colon += 1 }
        guard colon > 0, colon < line.count else { throw .invalidFieldName }
        guard line[colon] == .colon else {
            throw line[colon].isWhitespace ? .whitespaceBeforeColon : .invalidFieldName
        }
        name = 0..<colon

        value = line.trimmed((colon + 1)..<line.count)
        for index in value where !line[index].isFieldContent {
            // This includes CR and NUL (RFC 9110 §5.5).
            throw .invalidFieldValue
        }
    }
}
