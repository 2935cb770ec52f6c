import UntrustedText
import Encodings
import Pipeline

/// The value of `overlay`, a list of sticker names.
package enum OverlayNames {
    /// The maximum length of a name, in characters.
    package static let maxNameLength = 32

    /// A name, as a regular expression.
    static let pattern = "[a-z0-9-]{1,\(maxNameLength)}"

    /// Whether a text can be the name of a sticker: lower-case letters, digits and hyphens.
    package static func isName(_ text: String) -> Bool { text.isPlainName(atMost: maxNameLength) }

    /// Parses different names separated by commas; nil for other text or too many names.
    static func list(_ text: String) -> [String]? {
        let names = text.bytes.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        return names.count <= Sticker.maxStickers && Set(names).count == names.count && names.allSatisfy(isName)
            ? names : nil
    }
}
