/// The records of a CSV file (RFC 4180), with line feeds as line ends too.
struct CSVRecords {
    /// One record.
    struct Record: Equatable {
        /// The line on which it begins, from 1.
        var line: Int
        var content: Content
    }

    enum Content: Equatable {
        case fields([String])
        /// A record that breaks the grammar, with a sentence; the next one begins on the next line.
        case malformed(String)
    }

    private var lines: LineReader
    private var line = 0

    init(_ file: any InputFile) { lines = LineReader(file, limit: RowLimits.maxBytes) }

    /// The next record; nil at the end.
    mutating func next() throws(BatchError) -> Record? {
        guard let first = try lines.next() else { return nil }
        line += 1
        let start = line
        var parser = CSVParser()
        var text = first
        while true {
            guard case .text(var bytes) = text else {
                return Record(line: start, content: .malformed("The line has more than \(RowLimits.maxBytes) bytes."))
            }
            if line == 1 { bytes.removeByteOrderMark() }
            // The carriage return of the line end; inside of quotes it is content.
            if !parser.endsQuoted(after: bytes), bytes.last == 0x0D { bytes.removeLast() }
            parser.read(bytes)
            guard parser.isQuoted else { break }
            guard parser.count < RowLimits.maxBytes else {
                return Record(line: start, content: .malformed("The row has more than \(RowLimits.maxBytes) bytes."))
            }
            guard let more = try lines.next() else {
                return Record(line: start, content: .malformed("A quotation mark is not closed."))
            }
            line += 1
            parser.readLineFeed()
            text = more
        }
        return Record(line: start, content: parser.content)
    }
}
