extension InputFormat {
    var codec: FormatCodec {
        switch self {
        case .jpeg: .jpeg
        case .png: .png
        case .webp: .webp
        case .gif: .gif
        #if AVIF
        case .avif: .avif
        #endif
        #if HEIC
        case .heic: .heic
        #endif
        #if JPEGXL
        case .jpegxl: .jpegxl
        #endif
        #if TIFF
        case .tiff: .tiff
        #endif
        case .bmp: .bmp
        case .ico: .ico
        }
    }

    /// The name of the format in messages.
    package var name: String { codec.name }

    /// File name extensions without the dot, the preferred one first.
    package var fileExtensions: [String] { codec.fileExtensions }

    /// The format of an animated output of the same kind; nil if there is none.
    package var writtenAnimated: OutputFormat? {
        OutputFormat(rawValue: rawValue).flatMap { $0.keepsAnimation ? $0 : nil }
    }

    /// A file of one or a few pixels, to check a decoder that has no encoder; nil for formats whose still images are
    /// written.
    package var sample: [UInt8]? { codec.sample }

    /// The format whose signature starts the bytes; nil if no signature matches.
    package static func sniff(_ bytes: [UInt8]) -> InputFormat? { allCases.first { $0.codec.matches(bytes) } }

    /// Whether a file may be animated, by its signature and a few bytes of its structure, without checking either.
    ///
    /// - Parameter bytes: The file.
    /// - Returns: False for stills of JPEG, PNG, WebP, AVIF and formats without animations; true for any GIF.
    package static func mayBeAnimated(_ bytes: ArraySlice<UInt8>) -> Bool {
        sniff(Array(bytes.prefix(signatureLength)))?.codec.animation?.mayBeAnimated(bytes) ?? false
    }
}
