package import Imaging

/// A placeholder that a page shows until a crop is loaded.
package struct Placeholder: Hashable, Codable, Sendable {
    /// The kind of the hash.
    package var kind: PlaceholderKind
    /// The bytes of a ThumbHash, or the text of a BlurHash in ASCII.
    package var hash: [UInt8]
    /// The dominant colour of the crop; nil for a crop without a visible pixel.
    package var color: KeyColor?

    /// Creates the placeholder of a small image.
    init(_ kind: PlaceholderKind, of pixels: PreviewPixels) {
        self.kind = kind
        hash =
            switch kind {
            case .thumbhash: ThumbHash.bytes(of: pixels)
            case .blurhash: Array(BlurHash.text(of: pixels).utf8)
            }
        color = pixels.dominantColor
    }

    /// Whether the hash has a valid form for its kind; the reply of a worker is untrusted.
    package var isPossible: Bool {
        switch kind {
        case .thumbhash: (5...ThumbHash.maxBytes).contains(hash.count)
        case .blurhash: BlurHash.isHash(String(decoding: hash, as: UTF8.self))
        }
    }
}
