/// Text that makes Unicode operations slow: one character of any length, or many characters that must be reordered.
package enum HostileText: String, CaseIterable, Sendable {
    /// A letter with combining marks of two classes, which normalisation sorts.
    case marks
    /// Regional indicators; each pair is one character.
    case flags
    /// Hangul consonants and vowels, which normalisation composes.
    case hangul
    /// Emoji that are joined into one.
    case joiners
    /// Devanagari consonants that viramas join.
    case viramas
    /// ASCII letters.
    case letters

    /// The text in UTF-8, with at most `count` bytes and only whole characters.
    package func bytes(_ count: Int) -> [UInt8] {
        let (start, first, second) = parts
        var bytes = Array(start.utf8)
        let rest = max(0, count - bytes.count) / 2
        for part in [first, second] {
            let part = Array(part.utf8)
            for _ in 0..<rest / part.count { bytes += part }
        }
        return bytes
    }

    /// The text with at most `count` bytes.
    package func text(_ count: Int) -> String { String(decoding: bytes(count), as: UTF8.self) }

    /// The percent-encoded text with at most `count` bytes.
    package func encoded(_ count: Int) -> String {
        bytes(count / 3).map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The start, and the text that is repeated in the first and in the second half.
    private var parts: (start: String, first: String, second: String) {
        switch self {
        case .marks: ("e", "\u{301}", "\u{316}")
        case .flags: ("", "\u{1F1E9}", "\u{1F1E9}")
        case .hangul: ("\u{1100}", "\u{1161}", "\u{11A8}")
        case .joiners: ("", "\u{1F468}\u{200D}", "\u{1F468}\u{200D}")
        case .viramas: ("", "\u{915}\u{94D}", "\u{915}\u{94D}")
        case .letters: ("", "a", "a")
        }
    }
}
