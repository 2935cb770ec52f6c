/// One invalid parameter: its name, the received value, and the expected one.
package struct ParameterError: Error, Hashable, Sendable {
    /// The name as it was sent.
    package var name: String
    /// The value as it was sent; nil when it is missing.
    package var received: String?
    /// What would have been right, as the rest of a sentence: "one of low, high".
    package var expected: String
    /// Whether there is no parameter of that name at all.
    package var isUnknown = false

    /// The error as a sentence for the caller.
    package var sentence: String {
        if isUnknown { return "There is no parameter \(Self.shortened(name)): expected \(expected)." }
        guard let received else { return "\(Self.shortened(name)) is missing: expected \(expected)." }
        return "\(Self.shortened(name))=\(Self.shortened(received)) is not valid: expected \(expected)."
    }

    /// The most bytes of a name or a value that a response repeats, in UTF-8.
    package static let maxEchoedBytes = 100

    /// The text, cut before the character that exceeds ``maxEchoedBytes``.
    ///
    /// By bytes, for one grapheme may have megabytes of combining marks.
    static func shortened(_ text: String) -> String {
        guard text.utf8.count > maxEchoedBytes else { return text }
        let end = text.utf8.index(text.startIndex, offsetBy: maxEchoedBytes)
        // A view of scalars rounds an index inside of one down.
        return String(text.unicodeScalars[..<end]) + "…"
    }
}
