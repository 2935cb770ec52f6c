import Testing
import YAML

@Suite struct YAMLNodeTests {
    /// A node on one line: `~` for null, texts in quotes, and line numbers after keys.
    private func shown(_ node: YAMLNode) -> String {
        if node.isNull { return "~" }
        return switch node.content {
        case .scalar(let text, let isPlain): isPlain ? "\"\(text)\"" : "'\(text)'"
        case .sequence(let members): "[\(members.map(shown).joined(separator: " "))]"
        case .mapping(let entries):
            "{\(entries.map { "\(shown($0.key))@\($0.key.line):\(shown($0.value))" }.joined(separator: " "))}"
        }
    }

    @Test(arguments: [
        ("a: 1\nb: 'x'\n", #"{"a"@1:"1" "b"@2:'x'}"#),
        ("b: 1\na: 2\n", #"{"b"@1:"1" "a"@2:"2"}"#),
        (
            "a:\nb: ~\nc: null\nd: ''\ne: '~'\nf: \"null\"",
            #"{"a"@1:~ "b"@2:~ "c"@3:~ "d"@4:'' "e"@5:'~' "f"@6:'null'}"#
        ),
        ("# first\n\na: [1, 'x y', \"\\u00e4\"]\n", #"{"a"@3:["1" 'x y' 'ä']}"#),
        ("a:\n  - 1\n  - b: 2\n    c: 3\n", #"{"a"@1:["1" {"b"@3:"2" "c"@4:"3"}]}"#),
        ("a: |\n  x\n  y\nb: >\n  x\n  y\n", "{\"a\"@1:'x\ny\n' \"b\"@4:'x y\n'}"),
        ("a: &x [1]\nb: *x\n", #"{"a"@1:["1"] "b"@2:["1"]}"#),
        ("a: &x 1\nb: &x 2\nc: *x\n", #"{"a"@1:"1" "b"@2:"2" "c"@3:"2"}"#),
        ("&k a: 1\nb: {*k : 2}\n", #"{"a"@1:"1" "b"@2:{"a"@2:"2"}}"#),
        ("a: !!str 1\nb: !x y\n", #"{"a"@1:"1" "b"@2:"y"}"#),
        ("<<: {a: 1}\nb: yes\n", #"{"<<"@1:{"a"@1:"1"} "b"@2:"yes"}"#),
        ("%YAML 1.1\n---\na: 1\n...\n", #"{"a"@3:"1"}"#),
        ("[a]: 1\n? {b: c}\n: 2\n", #"{["a"]@1:"1" {"b"@2:"c"}@2:"2"}"#),
        ("- a\n", #"["a"]"#), ("text\n", #""text""#), ("~", "~"), ("---\n", "~"), ("{}", "{}"),
        ("\u{FEFF}a: 1", #"{"a"@1:"1"}"#), ("a: x\r\nb: y\r\n", #"{"a"@1:"x" "b"@2:"y"}"#),
        ("a: 'e\u{301}'", "{\"a\"@1:'e\u{301}'}"),
    ])
    func `a document is parsed to nodes with line numbers`(text: String, expected: String) throws {
        #expect(try YAMLNode.document(text).map(shown) == expected)
    }

    @Test(arguments: ["", "\n", "# nothing yet\n", "  \n# a\n"]) func `a text without values yields no node`(
        text: String
    ) throws {
        #expect(try YAMLNode.document(text) == nil)
    }

    @Test(arguments: [
        ("a: [", YAMLError.syntax("did not find expected node content", line: 2)),
        ("a: 1\nb: {x\n", .syntax("did not find expected ',' or '}'", line: 3)),
        ("a: 1\nb: @x\n", .syntax("found character that cannot start any token", line: 2)),
        ("a: 'x\n", .syntax("found unexpected end of stream", line: 2)),
        ("a: 1\nb\n", .syntax("could not find expected ':'", line: 3)),
        ("a: b: c\n", .syntax("mapping values are not allowed in this context", line: 1)),
        ("a: 1\nb: *x\n", .syntax("found undefined alias", line: 2)),
        ("a: &x [*x]\n", .syntax("found undefined alias", line: 1)),
        ("a: 1\n---\nb: 2\n", .syntax("but found another document", line: 2)),
        ("a: 1\na: 2\n", .repeatedKeys(["a"], line: 1)),
        ("z: 1\nc: 1\nb: 2\nc: 3\n'b': 4\n", .repeatedKeys(["b", "c"], line: 3)),
        ("x:\n  k: 1\n  k: 2\n", .repeatedKeys(["k"], line: 2)),
        ("{a: 1, a: 2}", .repeatedKeys(["a"], line: 1)),
        ("a: \u{1}\n", .unreadable), ("a: \u{0}\n", .unreadable),
    ])
    func `an invalid document is an error with its line number`(text: String, expected: YAMLError) {
        #expect(throws: expected) { try YAMLNode.document(text) }
    }

    @Test func `the nesting depth is limited`() throws {
        func nested(_ levels: Int) -> String {
            String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        }
        #expect(try YAMLNode.document(nested(YAMLNode.maxLevels)) != nil)
        let error = YAMLError.syntax("found more than 64 levels", line: 1)
        #expect(throws: error) { try YAMLNode.document(nested(YAMLNode.maxLevels + 1)) }
        #expect(throws: error) { try YAMLNode.document(nested(800)) }
        #expect(throws: (any Error).self) { try YAMLNode.document(nested(200_000)) }
    }

    @Test func `each alias counts like the node that it repeats`() throws {
        var lines = ["a0: &a0 [\(Array(repeating: "x", count: 9).joined(separator: ","))]"]
        for level in 1...8 {
            let members = Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ",")
            lines.append("a\(level): &a\(level) [\(members)]")
        }
        #expect(throws: YAMLError.syntax("found more than 1048576 values", line: 7)) {
            try YAMLNode.document(lines.joined(separator: "\n"))
        }
        #expect(try YAMLNode.document(lines.prefix(5).joined(separator: "\n"))?.entries?.count == 5)
    }

    @Test func `every prefix of a document is valid or an error`() {
        let text = "a: &x [1, 'b', \"\\x41\"]\n? {c: *x}\n: |\n  d\ne: !t ~\n"
        for length in 0...text.utf8.count {
            let part = String(decoding: text.utf8.prefix(length), as: UTF8.self)
            _ = try? YAMLNode.document(part)
        }
    }

    @Test func `texts can come from a single value or a list`() throws {
        let entries = try #require(
            try YAMLNode.document("a: x\nb: [x, '~']\nc:\nd: [x, ~]\ne: {x: y}\nf: []\ng: [[x]]")?.entries
        )
        #expect(entries.map(\.value.texts) == [["x"], ["x", "~"], nil, nil, nil, [], nil])
    }
}
