/// A video format of outputs, which programs of the operator write; the raw values are the names in requests.
package enum VideoFormat: String, Codable, CaseIterable, Sendable {
    case mp4, webm

    /// The media type registered with IANA.
    package var mediaType: String { "video/\(rawValue)" }

    /// The file name extension without the dot.
    package var fileExtension: String { rawValue }

    /// The name of the format in messages.
    package var name: String {
        switch self {
        case .mp4: "MP4"
        case .webm: "WebM"
        }
    }

    /// The format whose signature starts the bytes, judged by the brands of MP4 and the document type of WebM; nil if no
    /// signature matches.
    package static func sniff(_ bytes: [UInt8]) -> VideoFormat? {
        ConvertibleFormat.sniff(Array(bytes.prefix(InputFormat.signatureLength)))
            .flatMap { VideoFormat(rawValue: $0.rawValue) }
    }
}
