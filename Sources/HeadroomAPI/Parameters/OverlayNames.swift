import Imaging
import Pipeline

/// The value of `overlay`: names of stickers.
package enum OverlayNames {
    /// The longest name, in characters.
    package static let longestName = 32

    /// Whether a text can be the name of a sticker: lower-case letters, digits and hyphens.
    package static func isName(_ text: String) -> Bool {
        (1...longestName).contains(text.utf8.count)
            && text.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
    }

    /// Parses the names, and refuses what cannot be combined with stickers.
    static func read(_ reader: inout ParameterReader) -> [String] {
        let most = Sticker.mostStickers
        let form = "at most \(most) different names of stickers, separated by commas, such as halo,glasses"
        let names = reader.value(.overlay, expected: form) { text in
            let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            return names.count <= most && Set(names).count == names.count && names.allSatisfy(isName) ? names : nil
        }
        guard let names else { return [] }
        if reader.text(.lossless) == "true" || reader.text(.lossless) == "1" {
            reader.refuse(.overlay, expected: "no overlay with lossless=true, which draws nothing")
        }
        if reader.text(.profile) == "keep" {
            reader.refuse(.overlay, expected: "no overlay with profile=keep, because stickers are in sRGB")
        }
        return names
    }
}
