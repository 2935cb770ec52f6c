/// A file format that can be read; ``ImageFormat`` lists those that can be written.
package enum SourceFormat: String, Codable, Sendable, CaseIterable {
    /// JPEG, ITU-T T.81.
    case jpeg
    /// Portable Network Graphics.
    case png
    /// WebP, RFC 9649.
    case webp
    /// Graphics Interchange Format, versions 87a and 89a.
    case gif
    #if AVIF
    /// AV1 Image File Format.
    case avif
    #endif
    #if HEIC
    /// High Efficiency Image File Format, ISO/IEC 23008-12, with HEVC pictures.
    case heic
    #endif
    #if JPEGXL
    /// JPEG XL, ISO/IEC 18181.
    case jpegxl = "jxl"
    #endif

    /// The same format.
    package init(_ format: ImageFormat) {
        switch format {
        case .jpeg: self = .jpeg
        case .png: self = .png
        case .webp: self = .webp
        case .gif: self = .gif
        #if AVIF
        case .avif: self = .avif
        #endif
        }
    }

    /// The format of a still result of the same kind; nil if the format is only read, and for GIF, whose colours are
    /// too few for a scaled picture.
    package var written: ImageFormat? { self == .gif ? nil : ImageFormat(rawValue: rawValue) }

    /// The format of an animated result of the same kind; nil if there is none.
    package var writtenAnimated: ImageFormat? {
        ImageFormat(rawValue: rawValue).flatMap { $0.keepsAnimation ? $0 : nil }
    }

    /// File name extensions without the dot.
    package var fileExtensions: [String] {
        switch self {
        case .jpeg: ["jpg", "jpeg", "jpe", "jfif"]
        case .png: ["png", "apng"]
        case .webp: ["webp"]
        case .gif: ["gif"]
        #if AVIF
        case .avif: ["avif", "avifs"]
        #endif
        #if HEIC
        case .heic: ["heic", "heif", "hif"]
        #endif
        #if JPEGXL
        case .jpegxl: ["jxl"]
        #endif
        }
    }

    /// The name for sentences.
    package var name: String {
        switch rawValue {
        case "webp": "WebP"
        case "jxl": "JPEG XL"
        default: rawValue.uppercased()
        }
    }

    /// The names of all formats, for sentences.
    package static var choices: String {
        let names = allCases.map(\.name)
        return names.dropLast().joined(separator: ", ") + " or \(names[names.count - 1])"
    }
}

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
}
