/// A file format that can be written; ``SourceFormat`` lists those that can be read.
package enum ImageFormat: String, Codable, Sendable, CaseIterable {
    /// JPEG, ITU-T T.81.
    case jpeg
    /// Portable Network Graphics.
    case png
    /// WebP, RFC 9649; written lossy.
    case webp
    /// Graphics Interchange Format, version 89a; at most 256 colours a frame.
    case gif
    #if AVIF
    /// AV1 Image File Format; written lossy.
    case avif
    #endif

    /// The media type registered with IANA.
    package var mediaType: String { "image/\(rawValue)" }

    /// File name extensions without the dot, the preferred one first.
    package var fileExtensions: [String] { SourceFormat(self).fileExtensions }

    /// Whether the format supports transparency.
    package var keepsAlpha: Bool { self != .jpeg }

    /// Whether files can have a colour profile.
    package var keepsProfile: Bool { self != .gif }

    /// Whether the format can hold an animation that this program writes.
    package var keepsAnimation: Bool { self != .jpeg }

    /// Whether the format is chosen for an animation of another format: without loss, PNG is many times as large.
    package var suitsEveryAnimation: Bool { self == .webp || self == .gif }

    /// Whether the number of times that an animation plays is written.
    package var keepsPlays: Bool {
        #if AVIF
        keepsAnimation && self != .avif
        #else
        keepsAnimation
        #endif
    }

    /// Whether files have a quality.
    package var isLossy: Bool { self != .png }

    /// Whether encoding takes many times as long as in other formats, so that such results are limited in size, and
    /// chosen only where they pay.
    package var isExpensive: Bool {
        #if AVIF
        self == .avif
        #else
        false
        #endif
    }

    /// The name for sentences.
    package var name: String { SourceFormat(self).name }

    /// The format whose signature the bytes begin with; nil if there is none.
    package static func sniff(_ bytes: [UInt8]) -> ImageFormat? {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
        if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) { return .webp }
        if bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8) { return .gif }
        #if AVIF
        if MediaBrands(bytes)?.family == .avif { return .avif }
        #endif
        return nil
    }
}
