import Encodings

/// The colours of thumbor: names, and hexadecimal digits without `#`.
enum ThumborColor {
    /// The value of `background`; nil for an unknown name.
    static func text(_ text: String) -> String? {
        let word = text.lowercased()
        if word == "blur" || word == "transparent" { return word }
        if let digits = names[word] { return digits }
        guard [3, 6].contains(word.utf8.count), word.utf8.allSatisfy({ Hexadecimal.value($0) != nil }) else {
            return nil
        }
        return word
    }

    /// The colours of HTML 4; others are written in digits.
    private static let names = [
        "aqua": "00ffff", "black": "000000", "blue": "0000ff", "cyan": "00ffff", "fuchsia": "ff00ff",
        "gray": "808080", "grey": "808080", "green": "008000", "lime": "00ff00", "magenta": "ff00ff",
        "maroon": "800000", "navy": "000080", "olive": "808000", "orange": "ffa500", "pink": "ffc0cb",
        "purple": "800080", "red": "ff0000", "silver": "c0c0c0", "teal": "008080", "white": "ffffff",
        "yellow": "ffff00",
    ]
}
