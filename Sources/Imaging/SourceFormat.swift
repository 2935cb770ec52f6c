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

    /// The number of bytes at the beginning of a file that ``sniff(_:)`` reads.
    package static let signatureLength = 64

    /// The format whose signature the bytes begin with; nil if there is none.
    package static func sniff(_ bytes: [UInt8]) -> SourceFormat? {
        if let format = ImageFormat.sniff(bytes) { return SourceFormat(format) }
        #if JPEGXL
        if bytes.starts(with: [0xFF, 0x0A]) || bytes.starts(with: [0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20]) {
            return .jpegxl
        }
        #endif
        return switch MediaBrands(bytes)?.family {
        #if HEIC
        case .heic: .heic
        #endif
        default: nil
        }
    }
}
