import Encodings
import Testing

@Suite struct HexadecimalTests {
    @Test(
        arguments: [
            ([], ""), ([0], "00"), ([0x0F, 0xF0], "0ff0"), ([0x12, 0xAB, 0xFF], "12abff"),
        ] as [([UInt8], String)]
    )
    func `each byte becomes two lower-case digits, which are decoded in either case`(bytes: [UInt8], text: String) {
        #expect(Hexadecimal.text(bytes) == text)
        #expect(Hexadecimal.bytes(text) == bytes)
        #expect(Hexadecimal.bytes(text.uppercased()) == bytes)
    }

    @Test(arguments: ["0", "000", "0g", "0x00", " 00", "00 ", "+1", "-1", "０0", "é0", "\u{0}0", "0/", "0:", "0@", "0`"])
    func `any other text is rejected`(text: String) {
        #expect(Hexadecimal.bytes(text) == nil)
    }

    @Test(arguments: [1, 8, 16, 255, 256])
    func `random text has two digits per byte`(count: Int) throws {
        let text = Hexadecimal.random(bytes: count)
        #expect(try #require(Hexadecimal.bytes(text)).count == count)
        #expect(text == text.lowercased())
    }

    @Test func `random digits are never repeated`() {
        // More digits than one system call returns.
        let all = (0..<1000).map { _ in Hexadecimal.random(bytes: 16) }
        #expect(Set(all).count == all.count)
    }
}
