/// Base64 (RFC 4648) in the URL-safe alphabet (§5) or, on request, in the standard alphabet (§4).
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    /// The standard alphabet (§4), which MIME also uses.
    private static let standard = Array(alphabet.dropLast(2)) + Array("+/".utf8)

    /// Encodes bytes with `=` padding; with `isStandard`, in the standard alphabet.
    package static func text(_ bytes: [UInt8], isStandard: Bool = false) -> String {
        let alphabet = isStandard ? standard : alphabet
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            // bounded: the start is below the count
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            bits &= 0xff_ffff
            let digits = [18, 12, 6, 0].map { alphabet[bits >> $0 & 63] }
            // bounded: a group has one to three bytes
            text += digits.prefix(group.count + 1) + Array(repeating: UInt8(ascii: "="), count: 3 - group.count)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes text with or without `=` padding, in the URL-safe or the standard alphabet.
    ///
    /// Nil for other text, and if unused bits of the last digit are not 0.
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
