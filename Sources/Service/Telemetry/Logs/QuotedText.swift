import Encodings

/// Escapes untrusted text for log lines and terminals: no line ends, control sequences or invisible characters.
package enum QuotedText {
    /// The text without quotes, for output in which quotation marks delimit nothing.
    package static func escaped(_ text: String) -> String {
        var line = ""
        appendEscaped(text, to: &line, quotes: false)
        return line
    }

    /// The text as one line for a terminal, with escapes in place of characters that are not visible; backslashes and
    /// quotation marks stay as they are, so that it can be pasted.
    package static func line(_ text: String) -> String {
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
        var line = ""
        for scalar in text.unicodeScalars {
            if isVisible(scalar) {
                line.unicodeScalars.append(scalar)
            } else {
                appendEscaped(String(scalar), to: &line, quotes: false)
            }
        }
        return line
    }

    /// Appends a JSON string.
    static func append(_ text: String, to line: inout String) {
        line += "\""
        appendEscaped(text, to: &line)
        line += "\""
    }

    /// Appends a word, in quotes if it is empty or contains separators.
    static func appendWord(_ text: String, to line: inout String) {
        let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != quote && $0 != backslash && $0 != equals }
        if isPlain, !text.isEmpty {
            line += text
        } else {
            append(text, to: &line)
        }
    }

    /// Appends the escaped text without quotes.
    static func appendEscaped(_ text: String, to line: inout String, quotes: Bool = true) {
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) && $0 != quote && $0 != backslash }) {
            line += text
            return
        }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"" where quotes: line += "\\\""
            case "\\": line += "\\\\"
            case "\n": line += "\\n"
            case "\r": line += "\\r"
            case "\t": line += "\\t"
            default:
                if isVisible(scalar) {
                    line.unicodeScalars.append(scalar)
                } else if !quotes, let byte = FileName.byte(of: scalar) {
                    line += "\\x" + String(byte, radix: 16)
                } else {
                    // JSON uses surrogate pairs beyond 16 bits.
                    for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
                        let digits = String(unit, radix: 16)
                        line += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                    }
                }
            }
        }
    }

    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")
    private static let equals = UInt8(ascii: "=")

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        // Format characters include those that reverse the direction of writing.
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate: false
        default: true
        }
    }
}
