import Encodings
import Glibc
import Requests
import UntrustedText

/// Rows of a CSV file (RFC 4180) whose first record names the columns; an empty field counts as absent.
struct CSVReader: RowReader {
    private var records: CSVRecords
    private let name: String
    private let columns: [String]

    /// Reads the column names, which must include `url` or `file`.
    init(_ file: any InputFile) throws(BatchError) {
        records = CSVRecords(file)
        name = file.path
        guard let header = try records.next(), case .fields(let columns) = header.content,
            columns.contains(where: { $0.bytes == "url" || $0.bytes == "file" }),
            Set(columns.map(\.bytes)).count == columns.count
        else {
            throw BatchError(usage: "\(file.path): the first line must name the columns, one of them url or file")
        }
        self.columns = columns
    }

    mutating func next() throws(BatchError) -> InputRow? {
        while let record = try records.next() {
            let job: Result<BatchJob, RowError>
            switch record.content {
            case .fields(let fields) where fields.count == 1 && fields[0].isEmpty: continue
            case .fields(let fields) where fields.count == columns.count:
                job = JobColumns.job(zip(columns, fields).filter { !$1.isEmpty }.map { (name: $0, value: $1) })
            case .fields(let fields):
                job = .failure(
                    .row("The row has \(fields.count) fields; expected \(columns.count), like the first line.")
                )
            case .malformed(let reason):
                job = .failure(.row(reason))
            }
            return InputRow(job: job, place: "\(name):\(record.line)", number: record.line)
        }
        return nil
    }
}

/// The records of a CSV file (RFC 4180); a line may also end with a single line feed.
struct CSVRecords {
    struct Record: Equatable {
        /// The number of the record's first line, counted from 1.
        var line: Int
        var content: Content
    }

    enum Content: Equatable {
        case fields([String])
        /// An invalid record, with the reason; the next record starts on the next line.
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
            // Removes the carriage return at the end of the line, unless it is inside quotes, where it is content.
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

/// Parses one record, line by line.
private struct CSVParser {
    enum State {
        case start, plain, quoted, closed
    }

    private var state = State.start
    private var field: [UInt8] = []
    private var fields: [[UInt8]] = []
    private var problem: String?
    /// The bytes of all fields so far.
    private(set) var count = 0

    /// Whether the record continues on the next line.
    var isQuoted: Bool { state == .quoted && problem == nil }

    /// Whether a quoted field would still be open after some bytes.
    func endsQuoted(after bytes: [UInt8]) -> Bool {
        var copy = CSVParser()
        copy.state = state
        copy.read(bytes)
        return copy.isQuoted
    }

    mutating func readLineFeed() { add(0x0A) }

    mutating func read(_ bytes: [UInt8]) {
        for byte in bytes where problem == nil {
            switch (state, byte) {
            case (.start, UInt8(ascii: "\"")): state = .quoted
            case (.quoted, UInt8(ascii: "\"")): state = .closed
            case (.quoted, _): add(byte)
            case (_, UInt8(ascii: ",")): endField()
            case (.closed, UInt8(ascii: "\"")):
                add(byte)
                state = .quoted
            case (.closed, _): problem = "Text follows a closing quotation mark; expected a comma."
            case (.plain, UInt8(ascii: "\"")): problem = "A field with quotation marks must be quoted as a whole."
            default:
                add(byte)
                state = .plain
            }
            if fields.count > RowLimits.maxColumns {
                problem = "The row has more than \(RowLimits.maxColumns) columns."
            }
        }
    }

    var content: CSVRecords.Content {
        if let problem { return .malformed(problem) }
        return .fields((fields + [field]).map { FileName.text(of: $0) })
    }

    private mutating func add(_ byte: UInt8) {
        field.append(byte)
        count += 1
    }

    private mutating func endField() {
        fields.append(field)
        field = []
        state = .start
    }
}

/// Rows of a text file: a path, a URL or a JSON object per line.
struct ListReader: RowReader {
    /// The content of a line: a path or URL, or a JSON object.
    enum Grammar {
        case names
        case jsonLines
    }

    private var lines: LineReader
    private let grammar: Grammar
    private let name: String
    private var number = 0

    init(_ file: any InputFile, _ grammar: Grammar) {
        lines = LineReader(file, limit: RowLimits.maxBytes)
        self.grammar = grammar
        name = file.path
    }

    mutating func next() throws(BatchError) -> InputRow? {
        while let line = try lines.next() {
            number += 1
            guard let job = job(line) else { continue }
            return InputRow(job: job, place: "\(name):\(number)", number: number)
        }
        return nil
    }

    /// Nil for an empty line.
    private func job(_ line: LineReader.Line) -> Result<BatchJob, RowError>? {
        guard case .text(var bytes) = line else {
            return .failure(.row("The line has more than \(RowLimits.maxBytes) bytes."))
        }
        if number == 1 { bytes.removeByteOrderMark() }
        if bytes.last == 0x0D { bytes.removeLast() }
        if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { return nil }
        switch grammar {
        case .names:
            let text = FileName.text(of: bytes)
            guard bytes.count <= JobColumns.maxSourceBytes, !bytes.contains(0) else {
                return .failure(.row("The line is not a path or URL."))
            }
            return .success(JobColumns.job(line: text))
        case .jsonLines:
            guard let object = try? ParameterObject(bytes, omittingNulls: true) else {
                return .failure(.row("The line is not a JSON object of strings, numbers, booleans and nulls."))
            }
            guard object.pairs.count <= RowLimits.maxColumns else {
                return .failure(.row("The row has more than \(RowLimits.maxColumns) columns."))
            }
            return JobColumns.job(object.pairs)
        }
    }
}

/// Reads the lines of a file with bounded memory.
struct LineReader {
    /// A line without its line feed.
    enum Line: Equatable {
        case text([UInt8])
        /// A line longer than the limit, which was skipped.
        case tooLong
    }

    private static let chunkBytes = 1 << 16

    private let file: any InputFile
    private let limit: Int
    private var chunk: ArraySlice<UInt8> = []
    /// The offset after the last line.
    private(set) var offset = 0
    /// Whether the last line ended with a line feed.
    private(set) var isTerminated = false

    /// Reads from the file's position; lines of more than `limit` bytes are skipped.
    init(_ file: any InputFile, limit: Int) {
        self.file = file
        self.limit = limit
    }

    /// The next line; nil at the end of the file.
    ///
    /// The end of the file also ends a non-empty last line.
    mutating func next() throws(BatchError) -> Line? {
        var line: [UInt8] = []
        var isTooLong = false
        isTerminated = false
        while !isTerminated {
            if chunk.isEmpty { chunk = try file.read(upTo: Self.chunkBytes)[...] }
            if chunk.isEmpty { break }
            let end = chunk.firstIndex(of: 0x0A)
            let part = chunk[..<(end ?? chunk.endIndex)]
            isTooLong = isTooLong || line.count + part.count > limit
            if isTooLong { line = [] } else { line += part }
            isTerminated = end != nil
            let taken = part.count + (isTerminated ? 1 : 0)
            offset += taken
            chunk = chunk.dropFirst(taken)
        }
        if isTooLong { return .tooLong }
        return isTerminated || !line.isEmpty ? .text(line) : nil
    }
}

extension [UInt8] {
    /// Removes the byte order mark that some programs write at the start of UTF-8.
    mutating func removeByteOrderMark() {
        if starts(with: [0xEF, 0xBB, 0xBF]) { removeFirst(3) }
    }
}
