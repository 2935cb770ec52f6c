/// A media type or a disposition with its parameters: `multipart/form-data; boundary="x"` (RFC 9110 §8.3.1).
package struct MediaType {
    /// What stands before the first semicolon, in lower case.
    package let essence: String
    /// Names in lower case; values as they came, without quotes.
    package let parameters: [String: String]

    /// Reads a field value; nil when it has no essence or a parameter without a value.
    package init?(_ text: String) {
        var pieces = Self.split(text)[...]
        essence = pieces.popFirst().map { Self.trimmed($0).lowercased() } ?? ""
        guard !essence.isEmpty else { return nil }
        var parameters: [String: String] = [:]
        for piece in pieces where !Self.trimmed(piece).isEmpty {
            let sides = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2 else { return nil }
            parameters[Self.trimmed(sides[0]).lowercased()] = Self.unquoted(Self.trimmed(sides[1]))
        }
        self.parameters = parameters
    }

    /// Splits at semicolons that are not inside quotes.
    private static func split(_ text: String) -> [Substring] {
        var isQuoted = false
        var isEscaped = false
        return text.split(omittingEmptySubsequences: false) { character in
            if isEscaped {
                isEscaped = false
                return false
            }
            if isQuoted, character == "\\" { isEscaped = true }
            if character == "\"" { isQuoted.toggle() }
            return character == ";" && !isQuoted
        }
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        let rest = text.drop(while: isBlank)
        return String(rest.reversed().drop(while: isBlank).reversed())
    }

    private static func unquoted(_ text: String) -> String {
        guard text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
        var value = ""
        var isEscaped = false
        for character in text.dropFirst().dropLast() {
            if character == "\\", !isEscaped {
                isEscaped = true
            } else {
                value.append(character)
                isEscaped = false
            }
        }
        return value
    }
}
