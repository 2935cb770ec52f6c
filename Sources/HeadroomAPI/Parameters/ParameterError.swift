/// One parameter that cannot be used: which, what came, and what was expected.
package struct ParameterError: Error, Hashable, Sendable {
    /// The name as it was sent.
    package var name: String
    /// The value as it was sent; nil when it is missing.
    package var received: String?
    /// What would have been right, as the rest of a sentence: "one of low, high".
    package var expected: String
    /// Whether there is no parameter of that name at all.
    package var isUnknown = false

    /// The whole, as a sentence for people.
    package var sentence: String {
        if isUnknown { return "There is no parameter \(Self.shortened(name)): expected \(expected)." }
        guard let received else { return "\(Self.shortened(name)) is missing: expected \(expected)." }
        return "\(Self.shortened(name))=\(Self.shortened(received)) is not valid: expected \(expected)."
    }

    /// Long values are cut: an answer repeats what came, but not megabytes of it.
    static func shortened(_ value: String) -> String {
        value.count > 100 ? "\(value.prefix(100))…" : value
    }
}

/// Everything that is wrong with a request's parameters, so that all of it can be mended at once.
package struct ParameterErrors: Error, Sendable {
    /// At least one.
    package var all: [ParameterError]
}
