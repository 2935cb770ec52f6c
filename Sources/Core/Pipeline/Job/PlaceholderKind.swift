/// A short text that stands for an image until it is loaded.
package enum PlaceholderKind: String, Hashable, Codable, Sendable, CaseIterable {
    /// ``ThumbHash``, in Base64.
    case thumbhash
    /// ``BlurHash``.
    case blurhash
}
