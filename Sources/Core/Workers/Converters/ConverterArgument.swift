/// An argument of a converter: text with placeholders that are replaced by numbers.
package struct ConverterArgument: Hashable, Sendable {
    /// A placeholder, written as `{page}` in an argument.
    package enum Placeholder: String, CaseIterable, Sendable {
        /// The page number, from 1.
        case page
        /// The position in a video, in seconds with three decimals.
        case time
    }

    private enum Part: Hashable, Sendable {
        case text(String)
        case placeholder(Placeholder)
    }

    /// The argument as written.
    package let text: String
    private let parts: [Part]

    /// Parses an argument.
    ///
    /// Nil if a word in braces is not a placeholder, or if the text contains a NUL character.
    package init?(_ text: String) {
        var (parts, literal) = ([Part](), "")
        var rest = text[...]
        while let character = rest.first {
            guard character != "\0" else { return nil }
            if character == "{", let end = rest.firstIndex(of: "}") {
                let word = rest[..<end].dropFirst()
                // Braces around other text are part of the program's own syntax.
                if !word.isEmpty, word.allSatisfy({ ("a"..."z").contains($0) }) {
                    guard let placeholder = Placeholder(rawValue: String(word)) else { return nil }
                    parts += [.text(literal), .placeholder(placeholder)]
                    literal = ""
                    rest = rest[end...].dropFirst()
                    continue
                }
            }
            literal.append(character)
            rest = rest.dropFirst()
        }
        self.text = text
        self.parts = parts + [.text(literal)]
    }

    /// Whether the argument contains a placeholder.
    package func contains(_ placeholder: Placeholder) -> Bool { parts.contains(.placeholder(placeholder)) }

    /// Returns the argument for a part of a file.
    func text(for part: ConvertedPart) -> String {
        parts.map {
            switch $0 {
            case .text(let text): text
            case .placeholder(.page): "\(part.page)"
            case .placeholder(.time): part.seconds
            }
        }
        .joined()
    }
}
