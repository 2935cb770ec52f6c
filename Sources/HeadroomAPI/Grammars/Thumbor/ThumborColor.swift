import Encodings

/// The colours of thumbor: CSS names, and hexadecimal digits without `#`.
enum ThumborColor {
    /// The value of `background`; nil for an unknown name.
    static func text(_ text: String) -> String? {
        let word = text.lowercased()
        if word == "blur" || word == "transparent" { return word }
        if let digits = ColorName.digits(word) { return digits }
        guard [3, 6].contains(word.utf8.count), word.utf8.allSatisfy({ Hexadecimal.value($0) != nil }) else {
            return nil
        }
        return word
    }
}
