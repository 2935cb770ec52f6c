/// Reads rows one after another, so that memory does not depend on their number.
protocol RowReader: Sendable {
    /// The next row; nil at the end.
    ///
    /// - Throws: A ``BatchError`` if the input cannot be read any further.
    mutating func next() throws(BatchError) -> InputRow?
}
