package import Imaging

extension FrameParameters {
    /// The requested format of a response.
    package enum Format: Hashable, Sendable {
        /// The best accepted format.
        case auto
        /// An image of one type.
        case image(ImageFormat)
        /// The plan, or the faces.
        case json
        /// The whole picture with what was found and decided drawn over it.
        case debug
        /// Markup that shows the picture in the asked shapes.
        case html
        /// An archive with the picture of every face.
        case zip
        /// A body with a part for the picture of every face.
        case multipart

        /// Reads a word; `jpg` is `jpeg`.
        package init?(_ word: String) {
            switch word {
            case "auto": self = .auto
            case "json": self = .json
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

        /// The word that stands for it.
        package var word: String {
            switch self {
            case .auto: "auto"
            case .image(let format): format.rawValue
            case .json: "json"
            case .debug: "debug"
            case .html: "html"
            case .zip: "zip"
            case .multipart: "multipart"
            }
        }

        /// The words of all images.
        package static let images = ImageFormat.allCases.map(\.rawValue)

        /// Every word, for messages.
        package static let words = ["auto"] + images + ["json", "debug", "html", "zip", "multipart"]
    }
}
