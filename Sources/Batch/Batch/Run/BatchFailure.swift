/// A row that has failed.
package struct BatchFailure: Sendable, Equatable {
    /// The row's place, such as the file or the line of a list.
    package var row: String
    /// Why it failed, in a sentence.
    package var detail: String
}
