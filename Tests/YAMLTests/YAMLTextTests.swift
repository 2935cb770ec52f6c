import Testing
import YAML

@Suite struct YAMLTextTests {
    @Test(arguments: [
        ("8080", "a: 8080"), ("", "a:"), ("x y", "a: x y"), ("true", "a: true"), ("~", "a: ~"),
        ("a # b: 'c'", "a: 'a # b: ''c'''"), ("*", "a: '*'"), ("::", "a: '::'"), ("1:1", "a: 1:1"),
        (" x", "a: ' x'"), ("x ", "a: 'x '"), ("- x", "a: '- x'"), ("[x]", "a: '[x]'"), ("\"x\"", "a: '\"x\"'"),
        ("ä", "a: ä"), ("\u{7}", "a: \"\\a\""), ("\t", "a: \"\\t\""), ("x\ny", "a: 'x\n\n  y'"),
        ("http://x/?a=b,c", "a: http://x/?a=b,c"),
    ])
    func `a value is quoted if necessary`(value: String, expected: String) {
        #expect(YAMLText.entry("a", value) == expected)
    }

    @Test(arguments: [
        "", " ", "x", "~", "null", "'", "\"", "\\", "#", ": ", "a: b", "- a", "%a", "@a", "`a", "&a", "!a", "|", ">",
        "---", "...",
        "\u{0}\u{1}\u{1F}\u{7F}", "\u{85}\u{2028}\u{FEFF}", "\u{1F600}", "e\u{301}", "a\r\nb", "\n", "\n\n a\n", "a  b",
        "a\tb",
    ])
    func `written text is read back unchanged`(value: String) throws {
        // The text for a missing value is null, and settings treat both in the same way.
        for text in [value, String(repeating: value, count: 300)] {
            let entry = try #require(YAMLText.entry("name", text))
            let entries = try #require(try YAMLNode.document(entry)?.entries, "\(entry)")
            #expect(entries.count == 1)
            #expect(entries.first?.key.text == "name")
            #expect(entries.first?.value.text == text)
        }
    }
}
