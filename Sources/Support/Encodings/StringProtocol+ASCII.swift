extension StringProtocol {
    /// Whether all characters are decimal digits; true for an empty text.
    package var isDecimal: Bool { utf8.allSatisfy(\.isDecimalDigit) }

    /// Whether the text is a name of 1 to `limit` characters: letters a to z, digits and hyphens.
    package func isPlainName(atMost limit: Int) -> Bool {
        !isEmpty && utf8.count <= limit && utf8.allSatisfy { $0.isLowerAlphanumeric || $0 == UInt8(ascii: "-") }
    }
}
