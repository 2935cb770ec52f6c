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
        ("http://example.com./", "http://example.com/"),
        ("http://some_bucket.example.com/", "http://some_bucket.example.com/"),
        ("//example.com/a.jpg", "https://example.com/a.jpg"),
        ("http:/example.com/a.jpg", "http://example.com/a.jpg"),
        ("https:/example.com:8443/a.jpg", "https://example.com:8443/a.jpg"),
    ])
    func `a valid URL is normalised`(text: String, expected: String) throws {
        #expect(try WebURL(text).string == expected)
    }

    @Test(arguments: [
        "http://2130706433/", "http://0x7f000001/", "http://017700000001/", "http://127.1/", "http://0x7f.1/",
        "http://0177.0.0.1/", "http://127.0.1/", "http://%31%32%37.0.0.1/", "http://%3127.1/", "http://%30x7f000001/",
        "http://127.1./",
    ])
    func `every spelling of a numeric host becomes its address`(text: String) throws {
        #expect(try WebURL(text).host == "127.0.0.1")
    }

    @Test(arguments: [
        // Not http.
        "", "example.com/a.jpg", "/a.jpg", "http:example.com/a.jpg", "file:///etc/passwd", "ftp://example.com/",
        "gopher://example.com/", "dict://example.com:11211/", "data:image/png;base64,AAAA", "javascript:alert(1)",
        "s3://bucket/a.jpg", "unix:/run/docker.sock", "http+unix://example.com/",
        // No host.
        "http://", "http:///", "http://?x", "http://#x", "http://:80/", "http://./", "http://../",
        // Credentials.
        "http://user@example.com/", "http://user:secret@example.com/", "http://@example.com/", "http://:@example.com/",
        "http://example.com@evil.example/", "http://a@b@c/", "http://example.com\\@evil.example/",
        // Spaces and control characters.
        "http://exa mple.com/", "http://example.com /", "http:// example.com/", "http ://example.com/",
        "http://example.com/\r\nHost: evil", "http://example.com/a\tb", "http://example.com/\0a",
        "http://example.com/\u{7F}", "http://example.com\r\n/", "http:\\\\example.com/", "http:/\\example.com/",
        // Hosts.
        "http://exa|mple.com/",
        // Addresses and separators that appear when a Unicode name is mapped.
        "http://１２７。０。０。１/", "http://127。0。0。1/", "http://127.0.0.１/", "http://２１３０７０６４３３/",
        "http://０x7f000001/", "http://０ｘ７ｆ.１/", "http://⑯⑨。②⑤④。⑯⑨。②⑤④/", "http://%EF%BC%91.2.3.4/",
        "http://exam\u{2100}ple.com/", "http://example.com\u{FF0F}evil.example/", "http://user\u{FF20}example.com/",
        "http://example.com\u{FF1A}80/", "http://\u{FF05}41.example/", "http://[\u{FF1A}\u{FF1A}1]/",
        "http://\u{AD}/", "http://\u{3002}/", "http://\u{200D}a.example/", "http://\u{FFFD}.example/",
        "http://exa%00mple.com/", "http://example.com%0d%0a/", "http://example.com%2f.evil.example/", "http://*/",
        "http://%5b::1%5d/",
        "http://[::1/", "http://[::1%25lo]/", "http://[fe80::1%eth0]/", "http://[not-an-address]/", "http://::1/",
        // Ports.
        "http://example.com:0/", "http://example.com:65536/", "http://example.com:-1/", "http://example.com:http/",
        "http://example.com:80:80/",
    ])
    func `a URL that is not plain http is rejected`(text: String) {
        #expect {
            try WebURL(text)
        } throws: { error in
            if case FetchError.invalidURL = error { true } else { false }
        }
    }

    @Test(arguments: [
        (" https://example.com/a.jpg\r\n", "https://example.com/a.jpg"),
        ("http://example.com/a b.jpg", "http://example.com/a%20b.jpg"),
        ("http://example.com/a.jpg?text=a b", "http://example.com/a.jpg?text=a%20b"),
        ("http://example.com/a%20b c%2Fd.jpg", "http://example.com/a%20b%20c%2Fd.jpg"),
        ("http://example.com/100%.jpg", "http://example.com/100%25.jpg"),
        ("http://example.com/100%25.jpg?x=5%&y=%4", "http://example.com/100%25.jpg?x=5%25&y=%254"),
        ("http://example.com/{a}|b^c`d\"<e>.jpg", "http://example.com/%7Ba%7D%7Cb%5Ec%60d%22%3Ce%3E.jpg"),
        ("http://example.com/?q={a}|b^c`d\"<e>", "http://example.com/?q=%7Ba%7D%7Cb%5Ec%60d%22%3Ce%3E"),
        ("http://example.com/a[1](2)+~!$&'*,;=:@.jpg", "http://example.com/a[1](2)+~!$&'*,;=:@.jpg"),
        ("http://example.com/a\\b.jpg", "http://example.com/a%5Cb.jpg"),
        ("http://example.com/é à.jpg", "http://example.com/%c3%a9%20%c3%a0.jpg"),
        ("http://example.com?q=a b", "http://example.com/?q=a%20b"),
    ])
    func `raw characters in paths and queries are encoded`(text: String, expected: String) throws {
        #expect(try WebURL(text).string == expected)
        #expect(try WebURL(expected).string == expected)
    }

    @Test(arguments: [
        ("http://bücher.example/", "xn--bcher-kva.example"), ("http://BÜCHER.example/", "xn--bcher-kva.example"),
        ("http://bu\u{308}cher.example/", "xn--bcher-kva.example"),
        ("http://b%C3%BCcher.example/", "xn--bcher-kva.example"), ("http://例え.テスト/", "xn--r8jz45g.xn--zckzah"),
        ("http://example。com/", "example.com"), ("http://ｅｘａｍｐｌｅ.com/", "example.com"),
        ("http://faß.example/", "xn--fa-hia.example"), ("http://straße.example/", "xn--strae-oqa.example"),
        ("http://münchen.example.:8080/", "xn--mnchen-3ya.example"),
    ])
    func `a Unicode host is looked up in Punycode`(text: String, host: String) throws {
        let url = try WebURL(text)
        #expect(url.host == host)
        #expect(try WebURL(url.string) == url)
    }

    @Test func `the length in bytes is limited, before and after encoding`() throws {
        let fits = "http://h/" + String(repeating: "a", count: SourceURL.maxLength - 9)
        #expect(try WebURL(fits).string == fits)
        #expect(throws: FetchError.self) { try WebURL(fits + "a") }
        #expect(throws: FetchError.self) {
            try WebURL("http://h/" + String(repeating: "é", count: SourceURL.maxLength / 3))
        }
    }

    @Test(arguments: [
        ("https%3A%2F%2Fexample.com%2Fa.jpg", "percent-encoded twice"),
        ("HTTP%3a//example.com/a.jpg", "percent-encoded twice"),
        ("https%253A%252F%252Fexample.com%252Fa.jpg", "percent-encoded twice"),
        ("blob:https://example.com/0f8e", "a blob: URL is valid only inside one browser"),
        ("data:image/png;base64,AAAA", "a data: URL is not accepted here"),
        ("file:///home/me/a.jpg", "a file: URL is not accepted"),
        (#"C:\Users\me\a.jpg"#, "a Windows path is not a URL"),
        ("c:/Users/me/a.jpg", "a Windows path is not a URL"),
        (#"\\server\a.jpg"#, "a Windows path is not a URL"),
        ("ftp://example.com/a.jpg", "http"),
    ])
    func `the error for text that is not a web URL names the mistake`(text: String, mistake: String) {
        #expect {
            try WebURL(text)
        } throws: { error in
            guard case FetchError.invalidURL(let reason) = error else { return false }
            return reason.contains(mistake)
        }
    }

    @Test func `the port follows from the scheme`() throws {
        #expect(try WebURL("http://h/").port == 80)
        #expect(try WebURL("https://h/").port == 443)
        #expect(try WebURL("https://h:8443/").port == 8443)
    }

    @Test func `the description omits the query`() throws {
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
        ("http://h/a", "/b#part", "http://h/b"), ("http://h/a", "b|{c}%.jpg?x y", "http://h/b%7C%7Bc%7D%25.jpg?x%20y"),
        ("http://h/a", "http://bücher.example/c.jpg", "http://xn--bcher-kva.example/c.jpg"),
    ])
    func `a location is resolved relative to the URL that it came from`(
        base: String,
        location: String,
        expected: String
    ) throws {
        #expect(try WebURL(base).redirected(to: location).string == expected)
    }

    @Test(arguments: [
        ("https://h/", "http://h/"), ("https://h/", "http://other/"), ("http://h/", "ftp://h/"),
        ("http://h/", "file:///etc/passwd"), ("http://h/", "http://user@h/"), ("http://h/", "http://user:secret@h/"),
        ("http://h/", "http://１２７.０.０.１/"), ("http://h/", "/a\r\nX: y"), ("http://h/", "\\\\other\\a"),
        ("http://h/", ""), ("http://h/", "http://h:0/"), ("http://h/", "data:image/png;base64,AAAA"),
    ])
    func `a location that is not a valid http URL is rejected`(base: String, location: String) throws {
        let base = try WebURL(base)
        #expect {
            try base.redirected(to: location)
        } throws: { error in
            if case FetchError.blocked = error { true } else { false }
        }
    }
}
