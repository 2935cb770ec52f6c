package import Requests

/// The counts of a run.
package struct BatchTally: Sendable, Equatable {
    /// Images that this run finished.
    package var done = 0
    /// Rows that failed in this run.
    package var failed = 0
    /// Rows that an earlier run had finished, with a result or an error.
    package var skipped = 0
    /// The part of ``skipped`` that failed and is not tried again.
    package var failedBefore = 0
    /// Images that reused the detections of equal bytes.
    package var known = 0
    /// Retries: the attempts after the first attempt for each image.
    package var retries = 0
    /// Members of archives that were not copied because the results are redacted.
    package var leftOut = 0
    /// The deprecated names in the columns of rows.
    package var deprecated: Set<DeprecatedName> = []
}
