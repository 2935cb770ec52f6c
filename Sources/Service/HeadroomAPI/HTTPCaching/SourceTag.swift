import Cryptography
import Encodings
import Fetching
import UntrustedText

/// The tag of a source in `Cache-Tag` and in the keys of caches: `source-` and 64 bits of the SHA-256 of its URL.
struct SourceTag: Hashable, Sendable, CustomStringConvertible {
    private static let beginning = "source-"
    private static let digits = 16

    let description: String

    init(_ url: SourceURL) {
        let digest = SHA256.digest(of: Array(url.string.utf8))
        description = Self.beginning + Hexadecimal.text(Array(digest.prefix(Self.digits / 2)))
    }

    /// Parses a tag; nil for other text.
    init?(_ text: String) {
        guard text.bytes.hasPrefix(Self.beginning), text.utf8.count == Self.beginning.utf8.count + Self.digits,
            text.bytes.dropFirst(Self.beginning.utf8.count).utf8.allSatisfy({ $0.isLowerAlphanumeric })
        else { return nil }
        description = text
    }

    /// Whether a cache key belongs to the source.
    func isPart(of key: String) -> Bool { key.bytes.contains(description) }
}
