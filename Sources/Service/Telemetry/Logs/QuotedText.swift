import Encodings

/// Escapes untrusted text for log lines and terminals.
///
/// The result does not contain line ends, control sequences or invisible characters.
package enum QuotedText {
    /// Returns the escaped text without quotes, for output where quotation marks are not delimiters.
    package static func escaped(_ text: String) -> String {
        var line: [UInt8] = []
        appendEscaped(text, to: &line, quotes: false)
        return String(decoding: line, as: UTF8.self)
    }

    /// Returns the text as one line for a terminal, with invisible characters escaped.
    ///
    /// Backslashes and quotation marks are not escaped, so that the text can be pasted.
    package static func line(_ text: String) -> String {
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
        var line: [UInt8] = []
        for scalar in text.unicodeScalars {
            if isVisible(scalar) {
                line += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            } else {
                appendEscaped(String(scalar), to: &line, quotes: false)
            }
        }
        return String(decoding: line, as: UTF8.self)
    }

    /// Appends a JSON string.
    static func append(_ text: String, to line: inout [UInt8]) {
        line.append(quote)
        appendEscaped(text, to: &line)
        line.append(quote)
    }

    /// Appends a word.
    ///
    /// It is in quotes if it is empty or contains separators.
    static func appendWord(_ text: String, to line: inout [UInt8]) {
        guard !text.isEmpty else { return append(text, to: &line) }
        let isPlain = appendIfPlain(text, to: &line) { byte in
            byte > 0x20 && byte < 0x7F && byte != quote && byte != backslash && byte != equals
        }
        if !isPlain { append(text, to: &line) }
    }

    /// Appends the escaped text without quotes.
    static func appendEscaped(_ text: String, to line: inout [UInt8], quotes: Bool = true) {
        let isPlain = appendIfPlain(text, to: &line) { byte in
            byte >= 0x20 && byte < 0x7F && byte != quote && byte != backslash
        }
        guard !isPlain else { return }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"" where quotes: line += "\\\"".utf8
            case "\\": line += "\\\\".utf8
            case "\n": line += "\\n".utf8
            case "\r": line += "\\r".utf8
            case "\t": line += "\\t".utf8
            default:
                if isVisible(scalar) {
                    line += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
                } else if !quotes, let byte = FileName.byte(of: scalar) {
                    line += "\\x\(String(byte, radix: 16))".utf8
                } else {
                    // JSON uses surrogate pairs for scalars beyond 16 bits.
                    for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
                        let digits = String(unit, radix: 16)
                        line += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8
                    }
                }
            }
        }
    }

    /// If each byte of the text is plain, appends the text unchanged.
    ///
    /// Otherwise appends nothing and returns false.
    private static func appendIfPlain(_ text: String, to line: inout [UInt8], _ isPlain: (UInt8) -> Bool) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            guard bytes.allSatisfy(isPlain) else { return false }
            line += bytes
            return true
        }
    }

    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")
    private static let equals = UInt8(ascii: "=")

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        // Format characters include characters that reverse the writing direction.
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate: false
        default: true
        }
    }
}
