/// The limits on a row of a list.
package enum RowLimits {
    /// The longest row of a list in bytes; a longer one is skipped and becomes an error.
    package static let maxBytes = 1 << 20
    /// The maximum number of columns in a row.
    static let maxColumns = 128
}
