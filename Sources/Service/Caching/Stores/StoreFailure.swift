/// The reason why a value was not read or not written, as the end of a sentence for the log.
package struct StoreFailure: Error, Hashable, CustomStringConvertible {
    package let description: String

    /// Creates a failure with a reason.
    package init(_ description: String) { self.description = description }
}
