/// One invalid parameter: its name, the received value, and the expected one.
package struct ParameterError: Error, Hashable, Sendable {
    /// The name as received.
    package var name: String
    /// The value as received; nil when it is missing.
    package var received: String?
    /// The expected value, as the rest of a sentence: "one of low, high".
    package var expected: String
    /// Whether the route has no parameter of that name.
    package var isUnknown = false

    /// An error of one parameter.
    ///
    /// - Parameters:
    ///   - name: The name as received.
    ///   - received: The value as received; nil when it is missing.
    ///   - expected: The rest of the sentence "expected …", such as "one of low, high".
    ///   - isUnknown: Whether the route has no parameter of that name.
    package init(name: String, received: String?, expected: String, isUnknown: Bool = false) {
        self.name = name
        self.received = received
        self.expected = expected
        self.isUnknown = isUnknown
    }

    /// The error as a sentence for the caller.
    package var sentence: String {
        if isUnknown { return "There is no parameter \(Self.shortened(name)): expected \(expected)." }
        guard let received else { return "\(Self.shortened(name)) is missing: expected \(expected)." }
        return "\(Self.shortened(name))=\(Self.shortened(received)) is not valid: expected \(expected)."
    }

    /// The largest part of a name or a value that a response repeats, in bytes of UTF-8.
    package static let maxEchoedBytes = 100

    /// The text for a message: unchanged up to ``maxEchoedBytes`` bytes of UTF-8, else its beginning and `…`.
    ///
    /// The beginning has at most that many bytes, and ends between two Unicode scalars; `…` has three more bytes. The limit
    /// is in bytes, because one grapheme can have megabytes of combining marks. Nothing is escaped.
    package static func shortened(_ text: String) -> String {
        guard text.utf8.count > maxEchoedBytes else { return text }
        let end = text.utf8.index(text.startIndex, offsetBy: maxEchoedBytes)
        // A view of scalars rounds an index inside a scalar down.
        return String(text.unicodeScalars[..<end]) + "…"
    }
}
