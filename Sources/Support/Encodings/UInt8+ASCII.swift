/// Properties of ASCII characters.
extension UInt8 {
    /// Whether the byte is a digit from 0 to 9.
    package var isDecimalDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    /// Whether the byte is a digit or a letter from a to z.
    package var isLowerAlphanumeric: Bool { isDecimalDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }

    /// Whether the byte is a digit or a letter, in upper or lower case.
    package var isAlphanumeric: Bool { isLowerAlphanumeric || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }
}
