/// A short text that represents an image until it is loaded.
package enum PlaceholderKind: String, Hashable, Codable, Sendable, CaseIterable {
    /// ``ThumbHash``, in Base64.
    case thumbhash
    /// ``BlurHash``.
    case blurhash
}
