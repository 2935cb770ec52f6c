/// Conversion of file paths to and from text.
///
/// In Linux, names are byte sequences, which may not be UTF-8.
///
/// Each byte that is not part of valid UTF-8 becomes one private-use character: U+10FF00 plus the byte, which is
/// U+10FF80 to U+10FFFF. If the bytes already encode one of these characters, each byte of this character is converted
/// in the same way. Therefore every path has exactly one text, and ``bytes(of:)`` converts the text back to the path.
package enum FileName {
    /// Converts a path to text.
    package static func text(of bytes: some Collection<UInt8>) -> String {
        // In UTF-8, all characters of this private-use area start with the same byte.
        if !bytes.contains(0xF4), let text = String(validating: bytes, as: UTF8.self) { return text }
        var text = String.UnicodeScalarView()
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let scalar = first(of: rest)
            let length = scalar.map { UTF8.width($0) } ?? 1
            if let scalar, !isEscape(scalar) {
                text.append(scalar)
            } else {
                // bounded: a byte
                for byte in rest.prefix(length) { text.append(Unicode.Scalar(0x10_FF00 + UInt32(byte)) ?? "\u{FFFD}") }
            }
            rest = rest.dropFirst(length)
        }
        return String(text)
    }

    /// Converts a NUL-terminated path to text.
    package static func text(of path: UnsafePointer<CChar>) -> String {
        var count = 0
        while path[count] != 0 { count += 1 }
        return text(of: UnsafeBufferPointer(start: path, count: count).map { UInt8(bitPattern: $0) })
    }

    /// Converts a text to the bytes of its path, without a NUL at the end.
    package static func bytes(of text: String) -> [UInt8] {
        guard text.utf8.contains(0xF4) else { return Array(text.utf8) }
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            if isEscape(scalar) {
                bytes.append(UInt8(truncatingIfNeeded: scalar.value))
            } else {
                bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            }
        }
        return bytes
    }

    /// Returns the byte that a character represents; nil for a character that represents itself.
    package static func byte(of scalar: Unicode.Scalar) -> UInt8? {
        isEscape(scalar) ? UInt8(truncatingIfNeeded: scalar.value) : nil
    }

    private static func isEscape(_ scalar: Unicode.Scalar) -> Bool { scalar.value >= 0x10_FF80 }

    /// Decodes the first character of some bytes; nil if they do not start with a valid UTF-8 character.
    private static func first(of bytes: ArraySlice<UInt8>) -> Unicode.Scalar? {
        for length in 1...4 where length <= bytes.count {
            if let text = String(validating: bytes.prefix(length), as: UTF8.self) { return text.unicodeScalars.first }
        }
        return nil
    }
}
