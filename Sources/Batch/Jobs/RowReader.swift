/// Reads rows one after another, so that memory does not depend on their number.
protocol RowReader: Sendable {
    /// The next row; nil at the end.
    ///
    /// - Throws: A ``BatchError`` if the input cannot be read any further.
    mutating func next() throws(BatchError) -> InputRow?
}

/// Limits of rows.
package enum RowLimits {
    /// The longest row of a list in bytes; a longer one is skipped and becomes an error.
    package static let maxBytes = 1 << 20
    /// The most columns of a row.
    package static let maxColumns = 128
}

/// One row that is known already.
struct SingleRow: RowReader {
    var row: InputRow?

    mutating func next() -> InputRow? {
        defer { row = nil }
        return row
    }
}
