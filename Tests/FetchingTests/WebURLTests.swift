import Fetching
import TestPacing
import Testing

@Suite(.limitedConcurrency)
struct WebURLTests {
    @Test(arguments: [
        ("http://example.com", "http://example.com/"),
        ("HTTPS://EXAMPLE.com/A.jpg", "https://example.com/A.jpg"),
        ("http://example.com:80/", "http://example.com/"),
        ("https://example.com:443/", "https://example.com/"),
        ("http://example.com:443/", "http://example.com:443/"),
        ("http://example.com/a/../b/./c.jpg?x=1#part", "http://example.com/b/c.jpg?x=1"),
        ("http://example.com?x=1", "http://example.com/?x=1"),
        ("http://example.com/café.jpg?q=é", "http://example.com/caf%c3%a9.jpg?q=%c3%a9"),
        ("http://example.com/a%20b%0d%0a.jpg", "http://example.com/a%20b%0d%0a.jpg"),
        ("http://xn--bcher-kva.example/", "http://xn--bcher-kva.example/"),
        ("http://[2001:DB8::1]:8080/a", "http://[2001:db8::1]:8080/a"),
        ("http://example.com./", "http://example.com./"),
        ("http://some_bucket.example.com/", "http://some_bucket.example.com/"),
    ])
    func `a good URL is normalised`(text: String, expected: String) throws {
        #expect(try WebURL(text).string == expected)
    }

    @Test(arguments: [
        "http://2130706433/", "http://0x7f000001/", "http://017700000001/", "http://127.1/", "http://0x7f.1/",
        "http://0177.0.0.1/", "http://127.0.1/", "http://%31%32%37.0.0.1/",
    ])
    func `a numeric host in any spelling becomes its address`(text: String) throws {
        #expect(try WebURL(text).host == "127.0.0.1")
    }

    @Test(arguments: [
        // Not http.
        "", "example.com/a.jpg", "//example.com/a.jpg", "/a.jpg", "file:///etc/passwd", "ftp://example.com/",
        "gopher://example.com/", "dict://example.com:11211/", "data:image/png;base64,AAAA", "javascript:alert(1)",
        "s3://bucket/a.jpg", "unix:/run/docker.sock", "http+unix://example.com/",
        // No host.
        "http://", "http:///", "http://?x", "http://#x", "http://:80/", "http://./", "http://../",
        // Credentials.
        "http://user@example.com/", "http://user:secret@example.com/", "http://@example.com/", "http://:@example.com/",
        "http://example.com@evil.example/", "http://a@b@c/", "http://example.com\\@evil.example/",
        // Blanks and control characters.
        " http://example.com/", "http://example.com/ ", "http://example.com/a b", "http://exa mple.com/",
        "http://example.com/\r\nHost: evil", "http://example.com/\n", "http://example.com/\t", "http://example.com/\0",
        "http://example.com/\u{7F}", "http://example.com\r\n/",
        // Hosts.
        "http://bücher.example/", "http://example。com/", "http://%E4%BE%8B.example/", "http://exa|mple.com/",
        "http://exa%00mple.com/", "http://example.com%0d%0a/", "http://example.com%2f.evil.example/", "http://*/",
        // Names for parsers that decode late, and addresses when decoded.
        "http://%351.2.3/", "http://%3127.1/", "http://%30x7f000001/", "http://%5b::1%5d/",
        "http://[::1/", "http://[::1%25lo]/", "http://[fe80::1%eth0]/", "http://[not-an-address]/", "http://::1/",
        // Ports.
        "http://example.com:0/", "http://example.com:65536/", "http://example.com:-1/", "http://example.com:http/",
        "http://example.com:80:80/",
    ])
    func `a URL that is not plain http is refused`(text: String) {
        #expect {
            try WebURL(text)
        } throws: { error in
            if case FetchError.invalidURL = error { true } else { false }
        }
    }

    @Test func `length is limited in bytes, before and after encoding`() throws {
        let fits = "http://h/" + String(repeating: "a", count: SourceURL.maxLength - 9)
        #expect(try WebURL(fits).string == fits)
        #expect(throws: FetchError.self) { try WebURL(fits + "a") }
        #expect(throws: FetchError.self) {
            try WebURL("http://h/" + String(repeating: "é", count: SourceURL.maxLength / 3))
        }
    }

    @Test func `the port follows from the scheme`() throws {
        #expect(try WebURL("http://h/").port == 80)
        #expect(try WebURL("https://h/").port == 443)
        #expect(try WebURL("https://h:8443/").port == 8443)
    }

    @Test func `a description leaves out the query`() throws {
        #expect(try WebURL("http://h/a.jpg?signature=secret").description == "http://h/a.jpg?…")
        #expect(try WebURL("http://h/a.jpg").description == "http://h/a.jpg")
    }

    @Test(arguments: [
        ("http://h/a/b.jpg?old=1", "c.jpg", "http://h/a/c.jpg"),
        ("http://h/a/b.jpg?old=1", "/c.jpg", "http://h/c.jpg"),
        ("http://h/a/b.jpg?old=1", "../c.jpg?x=y", "http://h/c.jpg?x=y"),
        ("http://h/a/b.jpg?old=1", "?new=2", "http://h/a/b.jpg?new=2"),
        ("http://h/a/b.jpg", "//other/c.jpg", "http://other/c.jpg"),
        ("https://h/a/b.jpg", "//other/c.jpg", "https://other/c.jpg"),
        ("http://h/a/b.jpg", "https://other/c.jpg", "https://other/c.jpg"),
        ("http://h:8080/a/b.jpg", "/c.jpg", "http://h:8080/c.jpg"),
        ("http://h/a", "/b c/é.jpg", "http://h/b%20c/%c3%a9.jpg"),
        ("http://h/a", "/b#part", "http://h/b"),
    ])
    func `a location resolves against the URL it came from`(base: String, location: String, expected: String) throws {
        #expect(try WebURL(base).redirected(to: location).string == expected)
    }

    @Test(arguments: [
        ("https://h/", "http://h/"), ("https://h/", "http://other/"), ("http://h/", "ftp://h/"),
        ("http://h/", "file:///etc/passwd"), ("http://h/", "http://user@h/"), ("http://h/", "http://user:secret@h/"),
        ("http://h/", "http://bücher.example/"), ("http://h/", "/a\r\nX: y"), ("http://h/", "\\\\other\\a"),
        ("http://h/", ""), ("http://h/", "http://h:0/"), ("http://h/", "data:image/png;base64,AAAA"),
    ])
    func `a location that is not a valid http URL is refused`(base: String, location: String) throws {
        let base = try WebURL(base)
        #expect {
            try base.redirected(to: location)
        } throws: { error in
            if case FetchError.blocked = error { true } else { false }
        }
    }
}
