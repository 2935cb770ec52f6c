import Fetching
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct HostFieldsTests {
    private func fields(_ text: String) throws -> HostFields { try HostFields(Array(text.utf8)) }

    @Test(
        arguments: [
            ("https://cdn.example.com/a.jpg", ["Referer: https://example.com/", "X-Key: a:b c"]),
            ("https://cdn.example.com:443/", ["Referer: https://example.com/", "X-Key: a:b c"]),
            ("http://cdn.example.com/", []), ("https://cdn.example.com:8443/", []), ("https://example.com/", []),
            ("https://a.example.net:8443/", ["Authorization: Bearer secret"]), ("https://a.example.net/", []),
            ("http://10.0.0.7/", ["X-Key: 7"]), ("https://10.0.0.7/", []), ("https://cdn.example.com.evil.net/", []),
            ("https://xn--bcher-kva.example/", ["X-Key: 8"]),
        ] as [(String, [String])]
    )
    func `fields depend on the host, its scheme and its port`(url: String, expected: [String]) throws {
        let fields = try fields(
            """
            # Partners.
            [cdn.example.com]
            Referer: https://example.com/
              X-Key:   a:b c\r
            [*.example.net:8443]
            Authorization: Bearer secret

            [http://10.0.0.7]
            X-Key: 7
            [https://bücher.example]
            X-Key: 8
            [cdn.example.com]
            X-Key: of a second section
            """
        )
        #expect(try fields.fields(for: WebURL(url)) == expected)
    }

    @Test(arguments: [
        "X-Key: 1", "[]", "[a b]\n", "[example.com", "[example.com]\nX-Key", "[example.com]\nX Key: 1",
        "[example.com]\nX-Key:", "[example.com]\nX-Key: é", "[example.com]\nX-Key: a\u{7}b",
        "[example.com]\nHost: evil",
        "[example.com]\nCookie: a=1", "[example.com]\nTransfer-Encoding: chunked", "[example.com]\nproxy-foo: 1",
        "[example.com]\nIf-None-Match: *", "[example.com]\nAccept: */*", "[ftp://example.com]",
    ])
    func `the error for a line that is neither a host nor a field omits its value`(text: String) throws {
        let failure = #expect(throws: HostFields.Problems.self) { try fields(text) }
        #expect(failure?.lines.count == 1)
        #expect(failure?.lines.first?.hasPrefix("line ") == true)
    }

    @Test func `the numbers of hosts and fields are limited`() {
        let hosts = (0..<300).map { "[a\($0).example]" }.joined(separator: "\n")
        #expect(throws: HostFields.Problems.self) { try fields(hosts) }
        let many = "[example.com]\n" + (0..<40).map { "X-\($0): 1" }.joined(separator: "\n")
        #expect(throws: HostFields.Problems.self) { try fields(many) }
    }

    @Test func `descriptions and dumps contain no values`() throws {
        let fields = try fields("[example.com]\nAuthorization: Bearer secret")
        var dumped = ""
        dump(fields, to: &dumped)
        #expect(!"\(fields)\(String(reflecting: fields))\(dumped)".contains("secret"))
    }
}
