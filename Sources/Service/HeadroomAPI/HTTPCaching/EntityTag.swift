/// An entity tag (RFC 9110 §8.8.3); ``ResponseKey/tag`` creates the tags of responses.
package struct EntityTag: Hashable, Sendable {
    /// The value of `ETag`, with quotes.
    package let text: String

    /// The text between the quotes.
    package let opaque: String

    /// Whether equal tags mean equivalent responses instead of equal bytes.
    package let isWeak: Bool

    /// Creates a tag with a text, which must be visible ASCII without quotes.
    ///
    /// - Parameters:
    ///   - opaque: The text between the quotes.
    ///   - isWeak: Whether equal tags mean equivalent responses instead of equal bytes.
    package init(_ opaque: String, isWeak: Bool = false) {
        self.opaque = opaque
        self.isWeak = isWeak
        text = "\(isWeak ? "W/" : "")\"\(opaque)\""
    }
}
