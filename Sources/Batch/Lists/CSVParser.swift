/// Parses one record, line by line.
struct CSVParser {
    private enum State {
        case start, plain, quoted, closed
    }

    private var state = State.start
    private var field: [UInt8] = []
    private var fields: [[UInt8]] = []
    private var problem: String?
    /// The bytes of all fields so far.
    private(set) var count = 0

    /// Whether the record goes on in the next line.
    var isQuoted: Bool { state == .quoted && problem == nil }

    /// Whether a quoted field would still be open behind some bytes.
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
            case (.closed, _): problem = "Something follows a closing quotation mark."
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

    /// The record at its end.
    var content: CSVRecords.Content {
        if let problem { return .malformed(problem) }
        let texts = (fields + [field]).map { String(validating: $0, as: UTF8.self) }
        if texts.contains(nil) { return .malformed("The row is not UTF-8.") }
        return .fields(texts.compactMap(\.self))
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
