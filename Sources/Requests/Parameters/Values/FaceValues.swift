import Framing
import Imaging
import Pipeline

extension Redaction {
    /// Parses rectangles that are separated by semicolons; nil for other text, and for too many.
    static func areas(_ text: String) -> [Region]? {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false)
        guard parts.count <= mostAreas else { return nil }
        let areas = parts.compactMap { Region(String($0)) }
        return areas.count == parts.count ? areas : nil
    }

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
            let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map {
                Int(plainDigits: String($0))
            }
            guard numbers.count <= Redaction.mostNumbers, numbers.allSatisfy({ $0.map { $0 >= 1 } ?? false }) else {
                return nil
            }
            self = .numbers(numbers.compactMap(\.self))
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
    package static func isName(_ text: String) -> Bool {
        (1...longestName).contains(text.utf8.count)
            && text.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
    }

    /// Parses different names that are separated by commas; nil for other text, and for too many.
    static func list(_ text: String) -> [String]? {
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        return names.count <= Sticker.mostStickers && Set(names).count == names.count && names.allSatisfy(isName)
            ? names : nil
    }
}
