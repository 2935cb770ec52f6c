/// Percent-encoding of text in a URL.
package enum PercentEncoding {
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Encodes every byte but the unreserved characters of RFC 3986 §2.3, with upper-case digits.
    ///
    /// - Parameters:
    ///   - text: The text to encode, as UTF-8.
    ///   - keepsSlashes: Whether slashes stay as they are, as in a path.
    /// - Returns: ASCII.
    package static func encoded(_ text: String, keepsSlashes: Bool = false) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            case UInt8(ascii: "/") where keepsSlashes:
                bytes.append(byte)
            default:
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Decodes text; nil when it is not percent-encoded UTF-8.
    ///
    /// Every request's query is decoded here; Foundation's decoder would double the cost of a cached response.
    package static func decoded(_ text: [UInt8]) -> String? {
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
        return String(validating: bytes, as: UTF8.self)
    }
}
