/// A row that has failed.
package struct BatchFailure: Sendable, Equatable {
    /// The row's place, for example the file or the line of a list.
    package var row: String
    /// The reason for the failure, in one sentence.
    package var detail: String
}
