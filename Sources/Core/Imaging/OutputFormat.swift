/// A file format that can be written; ``InputFormat`` lists the formats that can be read.
package enum OutputFormat: String, Codable, Sendable, CaseIterable {
    case jpeg
    case png
    /// WebP, RFC 9649; written lossy, and lossless for some drawings.
    case webp
    /// Graphics Interchange Format, version 89a; at most 256 colours per frame.
    case gif
    #if AVIF
    /// AV1 Image File Format; written lossy.
    case avif
    #endif

    /// The media type registered with IANA.
    package var mediaType: String { "image/\(rawValue)" }

    /// File name extensions without the dot, the preferred one first.
    package var fileExtensions: [String] { InputFormat(self).fileExtensions }

    /// The name of the format in messages.
    package var name: String { InputFormat(self).name }
}
