/// A file format that can be read; ``OutputFormat`` lists the formats that can be written.
///
/// Its names and functions are in a row of `FormatCodec`, in the file of its decoder.
package enum InputFormat: String, Codable, Sendable, CaseIterable {
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
    /// High Efficiency Image File Format, ISO/IEC 23008-12, with HEVC images.
    case heic
    #endif
    #if JPEGXL
    /// JPEG XL, ISO/IEC 18181.
    case jpegxl = "jxl"
    #endif
    #if TIFF
    /// Tagged Image File Format, revision 6, and BigTIFF.
    case tiff
    #endif
    /// Bitmaps of Windows and OS/2.
    case bmp
    /// Icons of Windows.
    case ico

    /// The input format of an output format.
    package init(_ format: OutputFormat) {
        guard let same = InputFormat(rawValue: format.rawValue) else {
            preconditionFailure("every format that is written is read")
        }
        self = same
    }

    /// The format of a still output of the same kind; nil for input-only formats, and for GIF, which has too few
    /// colours for a scaled image.
    package var written: OutputFormat? { self == .gif ? nil : OutputFormat(rawValue: rawValue) }

    /// The names of all formats, for messages.
    package static var choices: String {
        let names = allCases.map(\.name)
        return names.dropLast().joined(separator: ", ") + " or \(names[names.count - 1])"
    }

    /// The number of bytes at the start of a file that ``sniff(_:)`` reads.
    package static let signatureLength = 64
}
