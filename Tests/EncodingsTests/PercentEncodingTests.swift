import Encodings
import Testing

@Suite struct PercentEncodingTests {
    @Test(arguments: [
        ("", "", ""), ("azAZ09-._~", "azAZ09-._~", "azAZ09-._~"), ("a b+c", "a%20b%2Bc", "a%20b%2Bc"),
        ("/a/é?", "%2Fa%2F%C3%A9%3F", "/a/%C3%A9%3F"), ("%41", "%2541", "%2541"), ("\0\u{7F}", "%00%7F", "%00%7F"),
        ("🙂", "%F0%9F%99%82", "%F0%9F%99%82"),
    ])
    func `all characters except unreserved ones are encoded, and a path keeps its slashes`(
        text: String,
        encoded: String,
        path: String
    ) {
        #expect(PercentEncoding.encoded(text) == encoded)
        #expect(PercentEncoding.encoded(text, keepsSlashes: true) == path)
        #expect(PercentEncoding.decoded(Array(encoded.utf8)) == text)
        #expect(PercentEncoding.decoded(Array(path.utf8)) == text)
    }

    @Test func `every byte can be encoded and decoded`() {
        let all = Array(UInt8.min...UInt8.max)
        let text = PercentEncoding.encoded(all)
        #expect(text.utf8.allSatisfy { $0 < 0x80 })
        #expect(PercentEncoding.bytes(of: Array(text.utf8)) == all)
        #expect(all.filter(PercentEncoding.isUnreserved).count == 26 + 26 + 10 + 4)
    }

    @Test(arguments: [("%c3%A9", "é"), ("+", "+"), ("a/b?c", "a/b?c"), ("é", "é"), ("%2541", "%41")])
    func `text is decoded once, and escapes may have digits of either case`(encoded: String, text: String) {
        #expect(PercentEncoding.decoded(Array(encoded.utf8)) == text)
    }

    @Test(arguments: ["%", "%4", "a%4", "%zz", "%4g", "%%41", "% 41", "%+1"])
    func `an escape with missing digits is rejected`(encoded: String) {
        #expect(PercentEncoding.decoded(Array(encoded.utf8)) == nil)
        #expect(PercentEncoding.bytes(of: Array(encoded.utf8)) == nil)
    }

    @Test(arguments: ["%FF", "%C3", "%C0%80", "%ED%A0%80", "%F4%90%80%80"])
    func `bytes that are not UTF-8 do not decode to text`(encoded: String) {
        #expect(PercentEncoding.decoded(Array(encoded.utf8)) == nil)
        #expect(PercentEncoding.bytes(of: Array(encoded.utf8)) != nil)
    }

    @Test(arguments: [
        ("", ""), ("a", "a"), ("%2e", "."), ("%252e", "."), ("%25252E", "."), ("%zz%2e", "%zz."), ("%", "%"),
        ("%2", "%2"), ("%%32%65", "."), ("%25%32%65", "."), ("%2%35", "%"), ("%2e%2E/", "../"),
    ])
    func `repeated decoding ends when no escape is left`(encoded: String, decoded: String) {
        #expect(String(decoding: PercentEncoding.fullyDecoded(encoded.utf8), as: UTF8.self) == decoded)
    }

    @Test func `repeated decoding takes linear time`() {
        let nested = "%" + String(repeating: "25", count: 100_000) + "41"
        #expect(PercentEncoding.fullyDecoded(nested.utf8) == [UInt8(ascii: "A")])
    }
}
