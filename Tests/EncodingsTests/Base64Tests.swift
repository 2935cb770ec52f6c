import Encodings
import Testing

@Suite struct Base64Tests {
    /// RFC 4648 §10.
    private static let examples = [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ]

    @Test(arguments: examples)
    func `the examples in RFC 4648 are encoded and decoded`(text: String, encoded: String) {
        let bytes = Array(text.utf8)
        for isStandard in [false, true] { #expect(Base64.text(bytes, isStandard: isStandard) == encoded) }
        #expect(Base64.bytes(encoded.utf8) == bytes)
        #expect(Base64.bytes(encoded.replacing("=", with: "").utf8) == bytes)
    }

    @Test func `the alphabets differ in two characters, and both are decoded`() {
        let bytes: [UInt8] = [0xFB, 0xEF, 0xFF]
        #expect(Base64.text(bytes) == "--__")
        #expect(Base64.text(bytes, isStandard: true) == "++//")
        for text in ["--__", "++//", "-+_/"] { #expect(Base64.bytes(text.utf8) == bytes) }
    }

    @Test func `all bytes survive encoding and decoding at every length`() {
        let all = Array(UInt8.min...UInt8.max)
        for length in 0...all.count {
            let bytes = Array(all.prefix(length))
            #expect(Base64.bytes(Base64.text(bytes).utf8) == bytes)
        }
    }

    @Test(arguments: ["Z", "Z===", "Zm9vY", "Zm 9v", "Zm9v\n", "Zm9v.", "Zm=9v", "=Zm9v", "é", "Zm9\0"])
    func `any other text is rejected`(text: String) {
        #expect(Base64.bytes(text.utf8) == nil)
    }

    @Test(arguments: ["Zh", "Zh==", "Zm9", "Zm9=", "Zv", "__9"])
    func `nonzero unused bits are rejected, so that bytes have only one text`(text: String) {
        #expect(Base64.bytes(text.utf8) == nil)
    }
}
