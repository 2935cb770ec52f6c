import UntrustedText

/// The words for true and false that programs use.
package enum BooleanText {
    /// The accepted words, for messages.
    package static let expected = "true or false"

    private static let words: [(text: String, value: Bool)] = [
        ("true", true), ("1", true), ("yes", true), ("on", true),
        ("false", false), ("0", false), ("no", false), ("off", false),
    ]

    /// Returns the value of a word in upper or lower case; nil for any other text.
    ///
    /// Python writes `True`, PHP writes `1`, HTML forms `on`, and YAML `yes`.
    package static func value(_ text: String) -> Bool? {
        words.first { word in text.bytes.matches(word.text) }?.value
    }
}
