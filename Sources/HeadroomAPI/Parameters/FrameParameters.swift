import Framing
package import Imaging
package import Pipeline

/// The parameters of a request, parsed from a query, a form or a JSON object.
package struct FrameParameters: Sendable {
    /// The longest side of a requested result, in pixels.
    package static let maxSide = 16_384
    /// The largest number of shapes in a plan.
    package static let maxAspects = 32
    /// The largest limit on the bytes of a picture.
    package static let mostBytes = 1 << 30
    /// The longest look-ahead, in seconds.
    package static let mostLookAhead = 2.0
    /// The longest `v`, in Unicode characters: percent-encoded, it leaves room in a request line.
    package static let maxVersionLength = 512

    /// The values as received, by name.
    package var given: [ParameterName: String]
    /// The address of the image; nil for an upload.
    package var url: String?
    /// The crops' shapes, framing and size.
    package let options: FrameOptions
    /// The format of the response.
    package var format = Format.auto
    /// The quality, 1…100 or the source's; nil is the format's default.
    package var quality: ImageQuality?
    /// The chroma of a JPEG or an AVIF.
    package private(set) var chroma = ChromaFormat.auto
    /// Whether a JPEG is progressive.
    package private(set) var isProgressive = false
    /// The most bytes of an encoded picture.
    package private(set) var maxBytes: Int?
    /// The names of the stickers on every face.
    package private(set) var overlays: [String] = []
    /// The time between the arrival of a stream's frame and its crop, in seconds.
    package private(set) var lookAhead = 0.0
    /// The metadata of the source that are kept.
    package private(set) var metadata = Metadata.none

    /// Which metadata of the source are kept.
    package enum Metadata: String, CaseIterable, Sendable {
        /// None.
        case none
        /// Artist, copyright and credit.
        case copyright
    }

    /// Parses parameters.
    ///
    /// - Parameters:
    ///   - pairs: Names and values as received; each name may occur once.
    ///   - known: The names that the route supports.
    /// - Throws: All errors, in the order in which they were found.
    package init(_ pairs: [(name: String, value: String)], known: [ParameterName]) throws(ParameterErrors) {
        var reader = ParameterReader(pairs, known: known)
        given = reader.values
        url = reader.text(.url)
        options = FrameOptions(&reader)
        readAnswer(&reader)
        if !reader.errors.isEmpty { throw ParameterErrors(all: reader.errors) }
    }

    private mutating func readAnswer(_ reader: inout ParameterReader) {
        let formats = Format.words.joined(separator: ", ")
        format = reader.value(.format, expected: "one of \(formats)", Format.init) ?? .auto
        quality = reader.value(.quality, expected: "a whole number from 1 to 100, or source") { text in
            if text == "source" { return .source }
            return Int(plainDigits: text).flatMap { (1...100).contains($0) ? .level($0) : nil }
        }
        chroma = reader.word(.chroma) ?? .auto
        isProgressive = reader.boolean(.progressive) ?? false
        let bytes = "a whole number of bytes from 1 to \(Self.mostBytes)"
        maxBytes = reader.value(.maxBytes, expected: bytes) { text in
            Int(plainDigits: text).flatMap { (1...Self.mostBytes).contains($0) ? $0 : nil }
        }
        metadata = reader.word(.metadata) ?? .none
        lookAhead = reader.decimal(.lookAhead, in: 0...Self.mostLookAhead) ?? 0
        overlays = OverlayNames.read(&reader)
        checkFormat(&reader)
        if let version = reader.text(.version), version.unicodeScalars.count > Self.maxVersionLength {
            reader.refuse(.version, expected: "at most \(Self.maxVersionLength) characters")
        }
        if options.isLossless { checkLossless(&reader) }
    }

    /// Rejects options that the requested format does not have; `auto` ignores them where they do not apply.
    private func checkFormat(_ reader: inout ParameterReader) {
        guard case .image(let image) = format else { return }
        if options.key != nil, options.backdrop == nil, !image.keepsAlpha, given[.background] == nil {
            reader.refuse(.format, expected: "a backdrop for the key with format=\(format.word), which has no alpha")
        }
        if chroma == .full, image == .png || image == .webp {
            reader.refuse(.chroma, expected: "no chroma=444 with format=\(format.word)")
        }
        if isProgressive, image != .jpeg {
            reader.refuse(.progressive, expected: "no progressive=true with format=\(format.word)")
        }
    }

    /// The encoding of pictures.
    ///
    /// - Parameters:
    ///   - format: The format; nil keeps the source's format if it is accepted.
    ///   - accepted: The accepted formats, best first; empty for all.
    /// - Returns: The encoding.
    package func output(_ format: ImageFormat?, accepted: [ImageFormat] = []) -> ImageOutput {
        var output = ImageOutput(format: format, accepted: accepted, quality: quality)
        output.chroma = chroma
        output.isProgressive = isProgressive
        output.maxBytes = maxBytes
        output.keepsCopyright = metadata == .copyright
        return output
    }

    /// Lossless crops are neither scaled nor encoded again.
    private func checkLossless(_ reader: inout ParameterReader) {
        for name in [
            ParameterName.width, .height, .dpr, .enlarge, .rotate, .flip, .key, .filter, .redact, .quality, .chroma,
            .progressive, .maxBytes,
        ] where given[name] != nil {
            reader.refuse(.lossless, expected: "lossless=true without \(name.rawValue)")
        }
        if options.framing.fit != .cover {
            reader.refuse(.lossless, expected: "lossless=true without fit=\(options.framing.fit.rawValue)")
        }
        if options.framing.place != .center {
            reader.refuse(.lossless, expected: "lossless=true without place=\(options.framing.place.rawValue)")
        }
        if given[.profile] != nil, options.profile != .keep {
            reader.refuse(.lossless, expected: "lossless=true without profile=\(options.profile.rawValue)")
        }
        switch format {
        case .auto, .source, .json, .debug, .focus, .zip, .multipart, .image(.jpeg): break
        case .image, .html: reader.refuse(.lossless, expected: "lossless=true without format=\(format.word)")
        }
    }
}

extension FrameParameters {
    /// The requested format of a response.
    package enum Format: Hashable, Sendable {
        /// The best format that the client accepts.
        case auto
        /// An image in the format of the source, or in the closest one that can be written.
        case source
        /// An image in the given format.
        case image(ImageFormat)
        /// The plan or the list of faces, as JSON.
        case json
        /// The focal point in the words of several services, as JSON.
        case focus
        /// The whole picture with the faces and the crop drawn on it.
        case debug
        /// Markup that shows the picture in the requested shapes.
        case html
        /// A ZIP archive with a picture of each face.
        case zip
        /// A multipart body with a picture of each face.
        case multipart

        /// Parses a word; `jpg` means `jpeg`.
        package init?(_ word: String) {
            switch word {
            case "auto": self = .auto
            case "source": self = .source
            case "json": self = .json
            case "focus": self = .focus
            case "debug": self = .debug
            case "html": self = .html
            case "zip": self = .zip
            case "multipart": self = .multipart
            case "jpg": self = .image(.jpeg)
            default:
                guard let format = ImageFormat(rawValue: word) else { return nil }
                self = .image(format)
            }
        }

        /// The format as a parameter's value.
        package var word: String {
            switch self {
            case .auto: "auto"
            case .source: "source"
            case .image(let format): format.rawValue
            case .json: "json"
            case .focus: "focus"
            case .debug: "debug"
            case .html: "html"
            case .zip: "zip"
            case .multipart: "multipart"
            }
        }

        /// The words for image formats.
        package static let images = ImageFormat.allCases.map(\.rawValue)

        /// All words, for messages.
        package static let words =
            ["auto", "source"] + images + ["json", "focus", "debug", "html", "zip", "multipart"]
    }
}
