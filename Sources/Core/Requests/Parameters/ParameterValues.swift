/// The description of a parameter's values for documents, clients and the command line.
package struct ParameterValues: Sendable {
    /// The kind of a value, which determines the schema and the types in clients.
    ///
    /// Ranges are closed.
    package enum Kind: Hashable, Sendable {
        case words([String])
        case boolean
        case decimal(ClosedRange<Double>)
        case whole(ClosedRange<Int>)
        case text
    }

    package var kind: Kind
    /// The schema in openapi.yaml, without the default, as YAML in flow style; nil for the default schema of the kind.
    package var schema: String?
    /// The schema of a member of a JSON object, if different.
    ///
    /// Numbers and Booleans are also accepted as strings.
    package var memberSchema: String?
    /// The strings that represent a number in a JSON object, as a regular expression.
    package var digits: String?
    /// The values in docs/parameters.md; nil for the default description of the kind.
    package var listed: String?
    /// The placeholder on the command line.
    package var placeholder: String
    /// The types in the Python and TypeScript clients; nil for the default types of the kind.
    package var types: Types?

    /// The types of the value in the clients, as source text.
    package struct Types: Sendable {
        package var python: String
        package var typeScript: String
    }
}

extension ParameterValues {
    /// The words of a route that accepts fewer words than other routes.
    static func words(_ words: [String]) -> ParameterValues {
        ParameterValues(kind: .words(words), placeholder: "word")
    }

    /// Numbers, or `auto` for a number that follows from the client's hints.
    static func hinted(_ range: ClosedRange<Double>, digits: String) -> ParameterValues {
        let (word, minimum, maximum) = (ClientHints.word, short(range.lowerBound), short(range.upperBound))
        let type = "type: [number, string], minimum: \(minimum), maximum: \(maximum)"
        return ParameterValues(
            kind: .decimal(range),
            schema: "\(type), pattern: '^\(word)$'",
            memberSchema: "\(type), pattern: '^(\(word)|\(digits))$'",
            listed: "\(minimum) to \(maximum), `\(word)`",
            placeholder: "n",
            types: .init(python: "Union[float, Literal[\"\(word)\"]]", typeScript: "number | \"\(word)\"")
        )
    }

    /// Returns words as code, separated by commas.
    static func code(_ words: [String]) -> String { words.map { "`\($0)`" }.joined(separator: ", ") }

    /// Returns words in quotes, separated by commas.
    static func quoted(_ words: [String]) -> String { words.map { "\"\($0)\"" }.joined(separator: ", ") }

    /// Formats a number; a whole number has no fraction.
    package static func short(_ number: Double) -> String {
        number == number.rounded() ? "\(Int(number))" : "\(number)"
    }
}
