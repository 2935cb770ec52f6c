struct SingleRow: RowReader {
    var row: InputRow?

    mutating func next() -> InputRow? {
        defer { row = nil }
        return row
    }
}
