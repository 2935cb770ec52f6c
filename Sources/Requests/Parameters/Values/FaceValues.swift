import UntrustedText
import Encodings
import Framing
import Imaging
import Pipeline

extension Redaction {
    /// Parses rectangles that are separated by semicolons; nil for other text, and for too many.
    static func areas(_ text: String) -> [Region]? { text.list(";", atMost: mostAreas) { Region(String($0)) } }

    /// The heads that are redacted, as a regular expression.
    static let facesPattern = "(all|others|none|[1-9][0-9]{0,11}(,[1-9][0-9]{0,11}){0,\(mostNumbers - 1)})"
}

extension Redaction.Faces {
    /// Parses a word, or numbers of faces that are separated by commas; nil for other text.
    init?(_ text: String) {
        switch text {
        case "all": self = .all
        case "others": self = .others
        case "none": self = .none
        default:
            let numbers = text.list(",", atMost: Redaction.mostNumbers) { part in
                Int(plainDigits: part).flatMap { $0 >= 1 ? $0 : nil }
            }
            guard let numbers else { return nil }
            self = .numbers(numbers)
        }
    }
}

/// The value of `overlay`: names of stickers.
package enum OverlayNames {
    /// The longest name, in characters.
    package static let longestName = 32

    /// A name, as a regular expression.
    static let pattern = "[a-z0-9-]{1,\(longestName)}"

    /// Whether a text can be the name of a sticker: lower-case letters, digits and hyphens.
    package static func isName(_ text: String) -> Bool { text.isPlainName(atMost: longestName) }

    /// Parses different names that are separated by commas; nil for other text, and for too many.
    static func list(_ text: String) -> [String]? {
        let names = text.bytes.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        return names.count <= Sticker.mostStickers && Set(names).count == names.count && names.allSatisfy(isName)
            ? names : nil
    }
}
