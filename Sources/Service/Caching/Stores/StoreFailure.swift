/// The reason why a value was not read or written, as the predicate of a sentence for the log.
package struct StoreFailure: Error, Hashable, CustomStringConvertible {
    package let description: String

    /// Creates a failure with a reason.
    package init(_ description: String) { self.description = description }
}
