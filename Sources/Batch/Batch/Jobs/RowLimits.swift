/// The limits on a row of a list.
package enum RowLimits {
    /// The maximum length of a row in a list, in bytes.
    ///
    /// A longer row is skipped and reported as an error.
    package static let maxBytes = 1 << 20
    /// The maximum number of columns in a row.
    static let maxColumns = 128
}
