package import UntrustedText

/// A media type or a disposition with its parameters: `multipart/form-data; boundary="x"` (RFC 9110 §8.3.1).
package struct MediaType {
    /// The maximum length of the essence and of each parameter name, in bytes.
    private static let maxWordBytes = 127

    /// The text before the first semicolon, in lower case; ASCII.
    package let essence: String
    /// Parameters by name: names are ASCII in lower case, values are unchanged except for their quotes.
    package let parameters: [String: String]

    /// Parses a field value.
    ///
    /// Nil if the essence or the value of a parameter is missing, or if a name is not ASCII or is too long.
    package init?(_ text: some TextSlice) {
        let pieces = Self.pieces(text[...])
        guard let first = pieces.first?.bytes.trimmed(), first.bytes.isWord(atMost: Self.maxWordBytes) else {
            return nil
        }
        essence = first.bytes.lowercased()
        var parameters: [String: String] = [:]
        for piece in pieces.dropFirst() where !piece.bytes.trimmed().isEmpty {
            let (before, value) = piece.bytes.halves(at: "=")
            let name = before.bytes.trimmed()
            guard let value, name.bytes.isWord(atMost: Self.maxWordBytes) else { return nil }
            parameters[name.bytes.lowercased()] = Self.unquoted(value.bytes.trimmed())
        }
        self.parameters = parameters
    }

    /// Splits at semicolons that are not inside quotes.
    private static func pieces(_ text: Substring) -> [Substring] {
        var isQuoted = false
        var isEscaped = false
        let parts = text.utf8.split(omittingEmptySubsequences: false) { byte in
            if isEscaped {
                isEscaped = false
                return false
            }
            if isQuoted, byte == UInt8(ascii: "\\") { isEscaped = true }
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            return byte == UInt8(ascii: ";") && !isQuoted
        }
        return parts.map { Substring($0) }
    }

    private static func unquoted(_ text: Substring) -> String {
        guard text.utf8.count >= 2, text.bytes.hasPrefix("\""), text.bytes.hasSuffix("\"") else { return String(text) }
        var value: [UInt8] = []
        var isEscaped = false
        for byte in text.utf8.dropFirst().dropLast() {
            if byte == UInt8(ascii: "\\"), !isEscaped {
                isEscaped = true
            } else {
                value.append(byte)
                isEscaped = false
            }
        }
        return String(decoding: value, as: UTF8.self)
    }
}
