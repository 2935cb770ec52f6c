/// An entity tag (RFC 9110 §8.8.3); ``ResponseKey/tag`` makes those of responses.
package struct EntityTag: Hashable, Sendable {
    /// The text between the quotes.
    package let opaque: String

    /// Whether equal tags mean equivalent responses, not equal bytes.
    package let isWeak: Bool

    /// Creates a tag of visible ASCII without quotes.
    package init(_ opaque: String, isWeak: Bool = false) {
        self.opaque = opaque
        self.isWeak = isWeak
    }

    /// The value of `ETag`.
    package var text: String { "\(isWeak ? "W/" : "")\"\(opaque)\"" }
}
