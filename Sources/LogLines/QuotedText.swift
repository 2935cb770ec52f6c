/// Text in a line of a log, made harmless: nothing in it ends the line, moves a terminal's cursor, or hides what follows.
enum QuotedText {
    /// Appends a string as JSON has it.
    static func append(_ text: String, to line: inout String) {
        line += "\""
        appendEscaped(text, to: &line)
        line += "\""
    }

    /// Appends a word as it is, or in quotes if it would be taken for several, or for none.
    static func appendWord(_ text: String, to line: inout String) {
        let isPlain = text.utf8.allSatisfy { (0x21..<0x7F).contains($0) && !Self.special.contains($0) }
        if isPlain, !text.isEmpty {
            line += text
        } else {
            append(text, to: &line)
        }
    }

    /// Appends what stands between the quotes.
    static func appendEscaped(_ text: String, to line: inout String) {
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) && $0 != quote && $0 != backslash }) {
            line += text
            return
        }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": line += "\\\""
            case "\\": line += "\\\\"
            case "\n": line += "\\n"
            case "\r": line += "\\r"
            case "\t": line += "\\t"
            default:
                if isVisible(scalar) {
                    line.unicodeScalars.append(scalar)
                } else {
                    // As JSON has it: two halves where one does not suffice.
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
    private static let special: Set<UInt8> = [quote, backslash, UInt8(ascii: "=")]

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        // Of these, format characters turn the direction of writing.
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate: false
        default: true
        }
    }
}
