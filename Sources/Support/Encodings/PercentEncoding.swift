/// Percent-encoding of text in a URL.
package enum PercentEncoding {
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Encodes every byte except the unreserved characters of RFC 3986 §2.3, with upper-case digits.
    ///
    /// - Parameters:
    ///   - text: The text to encode, as UTF-8.
    ///   - keepsSlashes: Whether slashes remain unencoded, as in a path.
    /// - Returns: ASCII.
    package static func encoded(_ text: String, keepsSlashes: Bool = false) -> String {
        encoded(text.utf8, keepsSlashes: keepsSlashes)
    }

    /// Encodes bytes, which need not be UTF-8, in the same way as ``encoded(_:keepsSlashes:)-(String,_)``.
    package static func encoded(_ text: some Sequence<UInt8>, keepsSlashes: Bool = false) -> String {
        var bytes: [UInt8] = []
        for byte in text {
            if isUnreserved(byte) || (keepsSlashes && byte == UInt8(ascii: "/")) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether a byte is an unreserved character of RFC 3986 §2.3.
    package static func isUnreserved(_ byte: UInt8) -> Bool { byte.isAlphanumeric || "-._~".utf8.contains(byte) }

    /// Decodes text; nil if it is not percent-encoded UTF-8.
    ///
    /// Every request's query is decoded here. Foundation's decoder would double the time of a cached response.
    package static func decoded(_ text: [UInt8]) -> String? {
        bytes(of: text).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// Decodes text to bytes, which need not be UTF-8; nil if the text is not percent-encoded.
    package static func bytes(of text: [UInt8]) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            guard text[index] == UInt8(ascii: "%") else {
                bytes.append(text[index])
                index += 1
                continue
            }
            guard index + 2 < text.count, let high = Hexadecimal.value(text[index + 1]),
                let low = Hexadecimal.value(text[index + 2])
            else { return nil }
            bytes.append(high << 4 | low)
            index += 3
        }
        return bytes
    }

    /// Decodes repeatedly until nothing is left to decode.
    ///
    /// Invalid escapes are unchanged.
    ///
    /// The result is the same as after any number of passes of a lenient decoder: `%252e`, `%2e` and `.` all become
    /// `.`, and `%zz%2e` becomes `%zz.`. Each byte is pushed once, and each replacement removes two bytes, so the time
    /// is linear.
    package static func fullyDecoded(_ text: some Sequence<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        for byte in text {
            bytes.append(byte)
            // A decoded byte may be the last digit of another escape.
            while bytes.count > 2, bytes[bytes.count - 3] == UInt8(ascii: "%"),
                let high = Hexadecimal.value(bytes[bytes.count - 2]),
                let low = Hexadecimal.value(bytes[bytes.count - 1])
            {
                // bounded: more than two
                bytes.removeLast(3)
                bytes.append(high << 4 | low)
            }
        }
        return bytes
    }
}
