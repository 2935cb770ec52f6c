/// The parser for a parameter's value, and the description of the value for documents.
package struct ParameterForm<Value: Sendable>: Sendable {
    /// The expected value, as the end of a sentence, such as "one of low, high".
    let expected: String
    /// Parses a text; nil if it is not valid.
    let parse: @Sendable (String) -> Value?
    let values: ParameterValues
    /// Whether a value may contain non-ASCII characters.
    ///
    /// Otherwise a value with these characters is rejected before parsing.
    ///
    /// The parser must not compare, search or split values with non-ASCII characters as a `String`.
    var takesUnicode = false
}

extension ParameterForm where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// A case of an enumeration, parsed from its raw value.
    static var word: ParameterForm { word() }

    static func word(_ placeholder: String = "word") -> ParameterForm {
        let words = Value.allCases.map(\.rawValue)
        return ParameterForm(
            expected: "one of \(words.joined(separator: ", "))",
            parse: { Value(rawValue: $0) },
            values: ParameterValues(kind: .words(words), placeholder: placeholder)
        )
    }
}

extension ParameterForm where Value == Bool {
    /// A Boolean, written as one of the words in ``BooleanText``.
    static var boolean: ParameterForm {
        ParameterForm(
            expected: BooleanText.expected,
            parse: { BooleanText.value($0) },
            values: ParameterValues(kind: .boolean, placeholder: "word")
        )
    }
}

extension ParameterForm where Value == Double {
    /// A plain decimal within a range.
    ///
    /// - Parameters:
    ///   - range: The accepted numbers.
    ///   - digits: The same numbers as a regular expression.
    ///   - takesHints: Whether the value may be `auto`.
    /// - Returns: The form.
    package static func decimal(
        _ range: ClosedRange<Double>,
        digits: String? = nil,
        takesHints: Bool = false
    ) -> ParameterForm {
        let bounds = "\(ParameterValues.short(range.lowerBound)) to \(ParameterValues.short(range.upperBound))"
        return ParameterForm(
            expected: "a number from \(bounds)",
            parse: { text in Double(plainDecimal: text).flatMap { range.contains($0) ? $0 : nil } },
            values: takesHints
                ? .hinted(range, digits: digits ?? "")
                : ParameterValues(kind: .decimal(range), digits: digits, placeholder: "n")
        )
    }
}

extension ParameterForm where Value == Int {
    /// A whole number in a range, which is also given as a regular expression.
    ///
    /// Messages contain the unit.
    static func whole(
        _ range: ClosedRange<Int>,
        _ unit: String? = nil,
        digits: String,
        placeholder: String = "n"
    ) -> ParameterForm {
        let number = unit.map { "a whole number of \($0)" } ?? "a whole number"
        let bounds = "\(range.lowerBound) to \(range.upperBound)"
        return ParameterForm(
            expected: "\(number) from \(bounds)",
            parse: { text in Int(plainDigits: text).flatMap { range.contains($0) ? $0 : nil } },
            values: ParameterValues(kind: .whole(range), digits: digits, placeholder: placeholder)
        )
    }
}

extension ParameterForm {
    /// A text that a function parses; see ``ParameterForm`` and ``ParameterValues`` for the arguments.
    static func text(
        expected: String,
        listed: String?,
        placeholder: String = "text",
        pattern: String? = nil,
        schema: String? = nil,
        memberSchema: String? = nil,
        words: [String]? = nil,
        types: ParameterValues.Types? = nil,
        takesUnicode: Bool = false,
        _ parse: @escaping @Sendable (String) -> Value?
    ) -> ParameterForm {
        let values = ParameterValues(
            kind: words.map { .words($0) } ?? .text,
            schema: schema ?? pattern.map { "type: string, pattern: '^\($0)$'" },
            memberSchema: memberSchema,
            listed: listed,
            placeholder: placeholder,
            types: types
        )
        return ParameterForm(expected: expected, parse: parse, values: values, takesUnicode: takesUnicode)
    }

    /// The URL of an image.
    ///
    /// It is parsed only when it is fetched.
    static func address(_ value: @escaping @Sendable (String) -> Value) -> ParameterForm {
        text(
            expected: "a URL",
            listed: "`http` or `https`; if enabled `s3:`, `gs:`, `abs:`, `local:` or a relative URL",
            placeholder: "url",
            schema:
                "type: string, format: uri, pattern: '^([Hh][Tt][Tt][Pp][Ss]?:/|s3://|gs://|abs://|local://|enc:|//)', maxLength: 8192, "
                + "examples: ['https://example.com/team.jpg']",
            takesUnicode: true
        ) { value($0) }
    }
}
