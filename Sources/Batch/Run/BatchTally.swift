/// The state of a run.
package struct BatchTally: Sendable, Equatable {
    /// Pictures that this run finished.
    package var done = 0
    /// Rows that failed in this run.
    package var failed = 0
    /// Rows that an earlier run had finished.
    package var skipped = 0
    /// Of these, rows that had failed and are not tried again.
    package var failedBefore = 0
    /// Pictures whose faces were known from equal bytes.
    package var known = 0
    /// Further tries.
    package var retries = 0
}
