package import Imaging

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
