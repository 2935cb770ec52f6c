import Encodings

/// The parser of a parameter's value, and its description for documents.
package struct ParameterForm<Value: Sendable>: Sendable {
    /// The expected value, as the rest of a sentence: "one of low, high".
    let expected: String
    /// The value of a text; nil if it is not valid.
    let parse: @Sendable (String) -> Value?
    let values: ParameterValues
    /// Whether a value may have characters beyond ASCII; others are refused before they are parsed.
    ///
    /// A parser of such values must not compare, search or split them as a `String`.
    var takesUnicode = false
}

/// The description of a parameter's values for documents, clients and the command line.
package struct ParameterValues: Sendable {
    package enum Kind: Hashable, Sendable {
        case words([String])
        case boolean
        case decimal(ClosedRange<Double>)
        case whole(ClosedRange<Int>)
        case text
    }

    package var kind: Kind
    /// The schema in openapi.yaml without the default, as YAML in flow style; nil for that of the kind.
    package var schema: String?
    /// The schema of a member of a JSON object, if it differs; numbers and booleans are also accepted as strings.
    package var memberSchema: String?
    /// The strings that stand for a number in a JSON object, as a regular expression.
    package var digits: String?
    /// The values in docs/parameters.md; nil for those of the kind.
    package var listed: String?
    /// The placeholder on the command line.
    package var placeholder: String
    /// The types of the clients in Python and TypeScript; nil for those of the kind.
    package var types: Types?

    package struct Types: Sendable {
        package var python: String
        package var typeScript: String
    }
}

extension ParameterForm where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// A case of an enumeration, by its raw value.
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
    /// A boolean: `true`, `1`, `false` or `0`.
    static var boolean: ParameterForm {
        ParameterForm(
            expected: "true or false",
            parse: { text in
                switch text {
                case "true", "1": true
                case "false", "0": false
                default: nil
                }
            },
            values: ParameterValues(kind: .boolean, placeholder: "word")
        )
    }
}

extension ParameterForm where Value == Double {
    /// A plain decimal within a range, which is also given as a regular expression, or with `takesHints` also `auto`.
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
    /// A whole number within a range, which is also given as a regular expression; messages name the unit.
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
    /// Text of another form; see ``ParameterForm`` and ``ParameterValues``.
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

    /// The address of a picture, which is parsed when it is fetched.
    static func address(_ value: @escaping @Sendable (String) -> Value) -> ParameterForm {
        text(
            expected: "an address",
            listed: "`http` or `https`; if turned on `s3:`, `local:` or a path",
            placeholder: "url",
            schema:
                "type: string, format: uri, pattern: '^([Hh][Tt][Tt][Pp][Ss]?:/|s3://|local://|//)', maxLength: 8192, "
                + "examples: ['https://example.com/team.jpg']",
            takesUnicode: true
        ) { value($0) }
    }
}

extension ParameterValues {
    /// Words of a route that has fewer than others.
    static func words(_ words: [String]) -> ParameterValues {
        ParameterValues(kind: .words(words), placeholder: "word")
    }

    /// Numbers, or `auto` for a number that comes from the client's hints.
    fileprivate static func hinted(_ range: ClosedRange<Double>, digits: String) -> ParameterValues {
        let (word, least, most) = (ClientHints.word, short(range.lowerBound), short(range.upperBound))
        let type = "type: [number, string], minimum: \(least), maximum: \(most)"
        return ParameterValues(
            kind: .decimal(range),
            schema: "\(type), pattern: '^\(word)$'",
            memberSchema: "\(type), pattern: '^(\(word)|\(digits))$'",
            listed: "\(least) to \(most), `\(word)`",
            placeholder: "n",
            types: .init(python: "Union[float, Literal[\"\(word)\"]]", typeScript: "number | \"\(word)\"")
        )
    }

    /// Words as code, separated by commas.
    static func code(_ words: [String]) -> String { words.map { "`\($0)`" }.joined(separator: ", ") }

    /// Words in quotes, separated by commas.
    static func quoted(_ words: [String]) -> String { words.map { "\"\($0)\"" }.joined(separator: ", ") }

    /// A number without a fraction of zero.
    package static func short(_ number: Double) -> String {
        number == number.rounded() ? "\(Int(number))" : "\(number)"
    }
}

/// The pairs of a query, in their order.
package enum QueryString {
    /// The largest number of pairs; there are fewer parameters.
    package static let maxPairs = 64

    /// Decodes `a=b&c=d` (WHATWG URL, application/x-www-form-urlencoded: `+` is a space).
    ///
    /// - Throws: A ``ParameterErrors`` for a name that no parameter can have, or for the pair that is not percent-encoded
    ///   UTF-8.
    package static func pairs(_ query: String?) throws(ParameterErrors) -> [(name: String, value: String)] {
        func failure(_ name: String, _ received: String, expected: String) -> ParameterErrors {
            ParameterErrors(all: [ParameterError(name: name, received: received, expected: expected)])
        }
        // Bytes, because iterating over characters takes ten times as long.
        let parts = (query ?? "").utf8.split(separator: UInt8(ascii: "&"))
        guard parts.count <= maxPairs else {
            throw failure("query", "\(parts.count) parameters", expected: "at most \(maxPairs) parameters")
        }
        var pairs: [(name: String, value: String)] = []
        for part in parts {
            let sides = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let (left, right) = (Substring(sides[0]), sides.count > 1 ? Substring(sides[1]) : "")
            guard let name = decoded(left), let value = decoded(right) else {
                throw failure(String(left), String(right), expected: "percent-encoded UTF-8")
            }
            if let error = ParameterName.error(name, value) { throw ParameterErrors(all: [error]) }
            pairs.append((name, value))
        }
        return pairs
    }

    private static func decoded(_ text: Substring) -> String? {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "%") }) else {
            return String(text)
        }
        return PercentEncoding.decoded(text.utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 })
    }
}
