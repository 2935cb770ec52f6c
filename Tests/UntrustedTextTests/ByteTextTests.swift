import TestPacing
import Testing
import UntrustedText

@Suite(.limitedConcurrency) struct ByteTextTests {
    @Test func `texts are equal if their bytes are equal`() {
        #expect("abc".bytes == "abc")
        #expect("abc".bytes != "abd")
        #expect("ab".bytes != "abc")
        #expect("xabcx".dropFirst().dropLast().bytes == "abc".bytes)
        #expect("xabcx".dropFirst().dropLast().bytes.hashValue == "abc".bytes.hashValue)
        // One letter in two spellings, which are equal as strings.
        #expect("\u{E9}" == "e\u{301}")
        #expect("\u{E9}".bytes != "e\u{301}")
    }

    @Test func `only ASCII letters have cases`() {
        #expect("AbC-Z[\u{C9}".bytes.lowercased() == "abc-z[\u{C9}")
        #expect("AbC-z{\u{E9}".bytes.uppercased() == "ABC-Z{\u{E9}")
        #expect("Bearer".bytes.matches("bearer"))
        #expect(!"Bearer ".bytes.matches("bearer"))
        // The Kelvin sign, whose lower case is k.
        #expect(!"\u{212A}".bytes.matches("k"))
        #expect("S3://x".bytes.begins(with: "s3:"))
        #expect(!"S3".bytes.begins(with: "s3:"))
    }

    @Test func `prefixes and suffixes are found`() {
        #expect("abc".bytes.hasPrefix("ab") && "abc".bytes.hasPrefix("") && !"abc".bytes.hasPrefix("abcd"))
        #expect("abc".bytes.hasSuffix("bc") && "abc".bytes.hasSuffix("") && !"abc".bytes.hasSuffix("abcd"))
        // A combining mark joins the letter before it to another character of a string.
        #expect("ab\u{301}".bytes.hasPrefix("ab"))
        #expect("abc/d:e".bytes.prefix(before: ":/") == "abc")
        #expect("abc".bytes.prefix(before: ":/") == "abc")
        #expect("//a/".bytes.dropping(UInt8(ascii: "/")) == "a/")
        #expect("a b  c".bytes.withoutSpaces() == "abc")
    }

    @Test(arguments: [
        ("a,b", ["a", "b"]), ("", [""]), (",", ["", ""]), ("a,,b,", ["a", "", "b", ""]), ("a", ["a"]),
    ])
    func `text is split like a collection`(text: String, parts: [String]) {
        #expect(text.bytes.split(separator: ",", omittingEmptySubsequences: false).map(String.init) == parts)
        let some = parts.filter { !$0.isEmpty }
        #expect(text.bytes.split(separator: ",").map(String.init) == some)
        let once = text.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
        #expect(text.bytes.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false) == once)
        #expect(text.bytes.split(separator: ",", maxSplits: 1) == text.split(separator: ",", maxSplits: 1))
    }

    @Test func `substrings are found and replaced`() throws {
        let text = "ab<x>c</x>"
        let found = try #require(text.bytes.firstRange(of: "<x>"))
        #expect(text[found.upperBound...] == "c</x>")
        #expect(text.bytes.firstRange(of: "<y>") == nil && "".bytes.firstRange(of: "a") == nil)
        #expect(text.bytes.contains("</x>") && !text.bytes.contains("</x>>"))
        #expect("aXbXX".bytes.replacing("X", with: "--") == "a--b----")
        #expect("aab".bytes.firstRange(of: "ab")?.lowerBound == "aab".index("aab".startIndex, offsetBy: 1))
    }

    @Test(arguments: [("", ""), ("  ", ""), (" a b\t", "a b"), ("a", "a"), ("\u{E9} ", "\u{E9}")])
    func `spaces at both ends are removed`(text: String, rest: String) {
        #expect(text.bytes.trimmed() == rest)
    }

    @Test func `a word is short and ASCII`() {
        #expect("width".bytes.isWord(atMost: 5))
        #expect(!"width".bytes.isWord(atMost: 4) && !"".bytes.isWord(atMost: 4) && !"w\u{E9}".bytes.isWord(atMost: 4))
    }

    @Test(arguments: HostileText.allCases)
    func `every operation takes time that is linear in the length of the text`(kind: HostileText) {
        #expect(
            isLinear(upTo: 1 << 20) { count in
                let (one, other) = (kind.text(count), kind.text(count) + "x")
                _ = one.bytes == other.bytes
                _ = one.bytes.hashValue
                _ = one.bytes.lowercased()
                _ = one.bytes.contains("\"GainMap\"")
                _ = one.bytes.split(separator: ",")
                _ = one.bytes.trimmed()
                _ = one.bytes.isASCII
                _ = one.bytes.hasSuffix("x")
            }
        )
    }

    @Test(
        arguments: [
            ("a=b", "a", "b"), ("a=b=c", "a", "b=c"), ("=", "", ""), ("a=", "a", ""), ("=b", "", "b"), ("", "", nil),
            ("ab", "ab", nil), ("==", "", "="),
        ] as [(String, String, String?)]
    )
    func `the first separator divides a text into two parts`(text: String, before: String, after: String?) {
        let halves = text.bytes.halves(at: "=")
        #expect(halves.before == before)
        #expect(halves.after.map(String.init) == after)
    }
}
