import UntrustedText

/// One invalid parameter: its name, the received value, and the expected value.
package struct ParameterError: Error, Hashable, Sendable {
    /// The name as received.
    package var name: String
    /// The value as received; nil when it is missing.
    package var received: String?
    /// The expected value, as the end of a sentence, such as "one of low, high".
    package var expected: String
    /// Whether the route does not have a parameter with this name.
    package var isUnknown = false
    /// Advice on an unknown name, as a sentence; nil for no advice.
    package var advice: String?
    /// Whether the parameter may be part of a URL's query although its name is known.
    package var mayBelongToURL = false
    /// The parameter whose URL may have contained this parameter, because the URL's `&` is not encoded; nil for none.
    package var holder: String?
    /// The rule that the parameter breaks, as the end of a sentence, such as "is not allowed with width=auto"; nil if
    /// the value is missing or invalid, and for most unknown names.
    package var rule: String?
    /// The value that breaks the rule; nil if every value breaks it.
    package var ruledValue: String?

    /// Creates an error of one parameter.
    ///
    /// - Parameters:
    ///   - name: The name as received.
    ///   - received: The value as received; nil when it is missing.
    ///   - expected: The end of the sentence "expected …", such as "one of low, high".
    ///   - isUnknown: Whether the route does not have a parameter with this name.
    package init(name: String, received: String?, expected: String, isUnknown: Bool = false) {
        self.name = name
        self.received = received
        self.expected = expected
        self.isUnknown = isUnknown
    }

    /// Creates an error for a parameter whose value is valid but which breaks a rule.
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
        let name = Self.shortened(name)
        if isUnknown, rule == nil {
            guard let holder else {
                return "Unknown parameter \(name). \(advice ?? "All parameters are listed in docs/parameters.md.")"
            }
            guard let advice else { return Self.brokenOff([name], from: holder) }
            return "Unknown parameter \(name). \(advice) \(Self.remedy(name, holder))"
        }
        let sentence: String
        if let rule {
            sentence = "\(Self.phrase(name, ruledValue)) \(rule)."
        } else if let received {
            sentence = "\(name)=\(Self.shortened(received)) is not valid: expected \(expected)."
        } else {
            return "\(name) is missing: expected \(expected)."
        }
        return holder.map { "\(sentence) \(Self.remedy(name, $0))" } ?? sentence
    }

    /// Whether the name is not known and nothing else is known about it.
    private var isUnnamed: Bool { isUnknown && advice == nil && rule == nil }

    /// The advice on a parameter that may be part of a URL.
    private static func remedy(_ name: String, _ holder: String) -> String {
        "If \(name) belongs to \(shortened(holder)), write the & before it as %26."
    }

    /// The sentence for unknown parameters that are part of a URL.
    private static func brokenOff(_ names: [String], from holder: String) -> String {
        let list =
            names.count < 2
            ? names.joined() : "\(names.dropLast().joined(separator: ", ")) and \(names[names.count - 1])"
        let (subject, verb, pronoun) =
            names.count < 2 ? ("parameter", "belongs", "it") : ("parameters", "belong", "them")
        return "Unknown \(subject) \(list), which \(verb) to \(shortened(holder)): "
            + "write the & before \(pronoun) as %26, and encode all of \(shortened(holder))."
    }

    /// Returns all errors as sentences.
    ///
    /// Parameters that are parts of the same URL share a sentence, and equal sentences are written once.
    package static func sentences(_ errors: [ParameterError]) -> String {
        var sentences: [String] = []
        var rest = errors[...]
        while let error = rest.popFirst() {
            guard error.isUnnamed, let holder = error.holder else {
                let sentence = error.sentence
                if !sentences.contains(where: { $0.bytes == sentence.bytes }) { sentences.append(sentence) }
                continue
            }
            let others = rest.prefix { $0.isUnnamed && $0.holder == holder }
            rest = rest.dropFirst(others.count)
            sentences.append(brokenOff([error.name].map(shortened) + others.map { shortened($0.name) }, from: holder))
        }
        return sentences.joined(separator: " ")
    }

    /// The maximum length of a name or a value that a response repeats, in bytes of UTF-8.
    package static let maxEchoedBytes = 100

    /// Shortens a text for a message.
    ///
    /// A text of up to ``maxEchoedBytes`` bytes of UTF-8 is unchanged; a longer text becomes its start and `…`.
    ///
    /// The start has at most this many bytes and ends between two Unicode scalars; `…` takes three additional bytes.
    /// The limit is in bytes, because a single grapheme can contain megabytes of combining marks. The text is not
    /// escaped.
    package static func shortened(_ text: String) -> String {
        guard text.utf8.count > maxEchoedBytes else { return text }
        let end = text.utf8.index(text.startIndex, offsetBy: maxEchoedBytes)
        // A view of scalars rounds an index inside a scalar down.
        return String(text.unicodeScalars[..<end]) + "…"
    }
}
