/// One invalid parameter: its name, the received value, and the expected value.
package struct ParameterError: Error, Hashable, Sendable {
    /// The name as received.
    package var name: String
    /// The value as received; nil when it is missing.
    package var received: String?
    /// The expected value, as the end of a sentence: "one of low, high".
    package var expected: String
    /// Whether the route does not have a parameter of that name.
    package var isUnknown = false
    /// The similar name that the route has; nil for none.
    package var suggestion: String?
    /// The rule that the parameter breaks, as the end of a sentence: "is not allowed with width=auto"; nil if its value
    /// is missing or invalid.
    package var rule: String?
    /// The value that breaks the rule; nil if every value breaks it.
    package var ruledValue: String?

    /// Creates an error of one parameter.
    ///
    /// - Parameters:
    ///   - name: The name as received.
    ///   - received: The value as received; nil when it is missing.
    ///   - expected: The end of the sentence "expected …", such as "one of low, high".
    ///   - isUnknown: Whether the route does not have a parameter of that name.
    package init(name: String, received: String?, expected: String, isUnknown: Bool = false) {
        self.name = name
        self.received = received
        self.expected = expected
        self.isUnknown = isUnknown
    }

    /// Creates an error of a parameter that breaks a rule, although its value is valid.
    ///
    /// - Parameters:
    ///   - name: The name as received.
    ///   - received: The value as received; nil when it is missing.
    ///   - value: The value that breaks the rule; nil if every value breaks it.
    ///   - rule: The end of the sentence, such as "is not allowed with width=auto".
    ///   - expected: The expected value; nil for none.
    package init(
        name: String,
        received: String?,
        value: String? = nil,
        breaks rule: String,
        expected: String? = nil
    ) {
        self.init(name: name, received: received, expected: expected ?? "no \(Self.phrase(name, value))")
        self.rule = rule
        ruledValue = value
    }

    private static func phrase(_ name: String, _ value: String?) -> String {
        shortened(name) + (value.map { "=\(shortened($0))" } ?? "")
    }

    /// The error as a sentence for the caller.
    package var sentence: String {
        if isUnknown {
            let advice = suggestion.map { "Did you mean \($0)?" } ?? "Expected \(expected)."
            return "Unknown parameter \(Self.shortened(name)). \(advice)"
        }
        if let rule { return "\(Self.phrase(name, ruledValue)) \(rule)." }
        guard let received else { return "\(Self.shortened(name)) is missing: expected \(expected)." }
        return "\(Self.shortened(name))=\(Self.shortened(received)) is not valid: expected \(expected)."
    }

    /// The maximum length of a name or a value that a response repeats, in bytes of UTF-8.
    package static let maxEchoedBytes = 100

    /// Shortens a text for a message: unchanged up to ``maxEchoedBytes`` bytes of UTF-8, otherwise its start and `…`.
    ///
    /// The start has at most that many bytes, and ends between two Unicode scalars; `…` is three more bytes. The limit
    /// is in bytes, because one grapheme can contain megabytes of combining marks. Nothing is escaped.
    package static func shortened(_ text: String) -> String {
        guard text.utf8.count > maxEchoedBytes else { return text }
        let end = text.utf8.index(text.startIndex, offsetBy: maxEchoedBytes)
        // A view of scalars rounds an index inside a scalar down.
        return String(text.unicodeScalars[..<end]) + "…"
    }
}
