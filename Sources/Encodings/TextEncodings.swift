import Glibc
import Synchronization

/// Characters of ASCII.
extension UInt8 {
    /// Whether it is one of 0 to 9.
    package var isDecimalDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    /// Whether it is one of a to z, or a digit.
    package var isLowerAlphanumeric: Bool { isDecimalDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }

    /// Whether it is a letter of either case, or a digit.
    package var isAlphanumeric: Bool { isLowerAlphanumeric || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }
}

extension StringProtocol {
    /// Whether all characters are decimal digits, as in an empty text.
    package var isDecimal: Bool { utf8.allSatisfy(\.isDecimalDigit) }

    /// Whether the text is a name of 1 to `limit` letters a to z, digits and hyphens.
    package func isPlainName(atMost limit: Int) -> Bool {
        (1...limit).contains(utf8.count) && utf8.allSatisfy { $0.isLowerAlphanumeric || $0 == UInt8(ascii: "-") }
    }
}

/// Base 64 (RFC 4648) in the alphabet of URLs (§5), or on request in the standard one (§4).
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    /// The standard alphabet (§4), as in MIME.
    private static let standard = Array(alphabet.dropLast(2)) + Array("+/".utf8)

    /// The characters for some bytes, with `=` at the end; with `isStandard` in the alphabet of MIME.
    package static func text(_ bytes: [UInt8], isStandard: Bool = false) -> String {
        let alphabet = isStandard ? standard : alphabet
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            bits &= 0xff_ffff
            let digits = [18, 12, 6, 0].map { alphabet[bits >> $0 & 63] }
            text += digits.prefix(group.count + 1) + Array(repeating: UInt8(ascii: "="), count: 3 - group.count)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes text with or without `=` at its end, in the alphabet of URLs or of MIME; nil for other text, and if
    /// unused bits of the last digit are not 0.
    package static func bytes(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var digits = Array(text)
        while digits.last == UInt8(ascii: "=") { digits.removeLast() }
        guard digits.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        var (bits, count) = (0, 0)
        for digit in digits {
            guard let value = value(digit) else { return nil }
            (bits, count) = ((bits << 6 | value) & 0xffff, count + 6)
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
        return bits & ((1 << count) - 1) == 0 ? bytes : nil
    }

    private static func value(_ digit: UInt8) -> Int? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(digit) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(digit) - 71
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(digit) + 4
        case UInt8(ascii: "-"), UInt8(ascii: "+"): 62
        case UInt8(ascii: "_"), UInt8(ascii: "/"): 63
        default: nil
        }
    }
}

/// Bytes as hexadecimal digits.
package enum Hexadecimal {
    /// Two lower-case digits a byte.
    package static func text(_ bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
            for (index, byte) in bytes.enumerated() {
                text[2 * index] = digit(byte >> 4)
                text[2 * index + 1] = digit(byte & 15)
            }
            return 2 * bytes.count
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    /// Parses pairs of hexadecimal digits of either case; nil for any other text.
    package static func bytes(_ text: String) -> [UInt8]? {
        let values = text.utf8.compactMap(value)
        guard values.count == text.utf8.count, values.count % 2 == 0 else { return nil }
        return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
    }

    /// The value of a digit of either case; nil for any other character.
    package static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension Hexadecimal {
    /// Random bytes, of which the first `unused` are not used yet: a system call for each ID would cost more than the
    /// rest of it.
    private struct Reserve {
        var bytes = [UInt8](repeating: 0, count: mostReserved)
        var unused = 0
    }

    private static let reserve = Mutex(Reserve())

    /// The largest request that `getentropy` accepts.
    private static let mostReserved = 256

    /// Random hexadecimal digits, two for each of `count` bytes (at most 256); never all 0.
    package static func random(bytes count: Int) -> String {
        let bytes = reserve.withLock { reserve in
            if reserve.unused < count {
                let status = getentropy(&reserve.bytes, mostReserved)
                precondition(status == 0, "the system gives no random bytes")
                reserve.unused = mostReserved
            }
            reserve.unused -= count
            return Array(reserve.bytes[reserve.unused..<reserve.unused + count])
        }
        return bytes.allSatisfy { $0 == 0 } ? random(bytes: count) : text(bytes)
    }
}

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
        encoded(text.utf8, keepsSlashes: keepsSlashes)
    }

    /// Encodes bytes, which need not be UTF-8, like ``encoded(_:keepsSlashes:)-(String,_)``.
    package static func encoded(_ text: some Sequence<UInt8>, keepsSlashes: Bool = false) -> String {
        var bytes: [UInt8] = []
        for byte in text {
            if byte.isAlphanumeric || "-._~".utf8.contains(byte) || (keepsSlashes && byte == UInt8(ascii: "/")) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Decodes text; nil when it is not percent-encoded UTF-8.
    ///
    /// Every request's query is decoded here; Foundation's decoder would double the cost of a cached response.
    package static func decoded(_ text: [UInt8]) -> String? {
        bytes(of: text).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// Decodes text to bytes, which need not be UTF-8; nil when it is not percent-encoded.
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

    /// Decodes until nothing can be decoded any more, and keeps invalid escapes as they are.
    ///
    /// The result is that of a lenient decoder after any number of passes: `%252e`, `%2e` and `.` are the same, and
    /// `%zz%2e` is `%zz.`. Each byte is pushed once, and each replacement removes two, so the time is linear.
    package static func fullyDecoded(_ text: some Sequence<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        for byte in text {
            bytes.append(byte)
            // A decoded byte may be the last digit of another escape.
            while bytes.count > 2, bytes[bytes.count - 3] == UInt8(ascii: "%"),
                let high = Hexadecimal.value(bytes[bytes.count - 2]),
                let low = Hexadecimal.value(bytes[bytes.count - 1])
            {
                bytes.removeLast(3)
                bytes.append(high << 4 | low)
            }
        }
        return bytes
    }
}
