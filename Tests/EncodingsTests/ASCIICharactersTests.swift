import Encodings
import Testing

@Suite struct ASCIICharactersTests {
    @Test func `character classes contain only ASCII characters`() {
        let all = UInt8.min...UInt8.max
        func text(_ isMember: (UInt8) -> Bool) -> String { String(decoding: all.filter(isMember), as: UTF8.self) }
        let (digits, lower) = ("0123456789", "abcdefghijklmnopqrstuvwxyz")
        #expect(text(\.isDecimalDigit) == digits)
        #expect(text(\.isLowerAlphanumeric) == digits + lower)
        #expect(text(\.isAlphanumeric) == digits + lower.uppercased() + lower)
    }

    @Test(arguments: [
        ("", true), ("0", true), ("0123456789", true), ("-1", false), ("1.5", false), ("٣", false), ("１", false),
    ])
    func `only ASCII digits are decimal digits`(text: String, isDecimal: Bool) {
        #expect(text.isDecimal == isDecimal)
    }

    @Test(arguments: [
        ("a", true), ("0", true), ("-", true), ("avatar-2x", true), ("twelve-bytes", true), ("thirteen-byte", false),
        ("", false), ("A", false), ("a_b", false), ("a b", false), ("é", false), ("a/b", false), ("a\0", false),
    ])
    func `a plain name consists of letters, digits and hyphens, and has a maximum length`(text: String, isName: Bool) {
        #expect(text.isPlainName(atMost: 12) == isName)
    }
}
