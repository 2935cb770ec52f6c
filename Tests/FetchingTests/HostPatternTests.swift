import Fetching
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct HostPatternTests {
    @Test(arguments: [
        ("example.com", "http://example.com/"), ("Example.COM", "http://example.com/a.jpg"),
        ("example.com", "http://EXAMPLE.com./"), ("example.com", "https://example.com:8443/"),
        ("*.example.com", "http://a.example.com/"), ("*.example.com", "http://a.b.example.com/"),
        ("*.example.com", "http://xn--bcher-kva.example.com/"), ("*", "http://example.com/"), ("*", "http://10.0.0.1/"),
        ("example.com:8080", "http://example.com:8080/"), ("*.example.com:443", "https://a.example.com/"),
        ("*:8080", "http://example.com:8080/"), ("10.0.0.1", "http://10.1/"), ("10.0.0.1", "http://0xa000001/"),
        ("127.1", "http://127.0.0.1/"), ("0x7f.1", "http://2130706433/"),
        ("[2001:DB8:0::1]", "http://[2001:db8::0:1]/"), ("[2001:db8::1]:81", "http://[2001:db8::1]:81/"),
        ("some_bucket.example.com", "http://some_bucket.example.com/"),
        ("bücher.example", "http://xn--bcher-kva.example/"), ("xn--bcher-kva.example", "http://bücher.example/"),
        ("*.Bücher.example:8080", "http://a.bücher.example:8080/"), ("example.com", "http://ｅｘａｍｐｌｅ。com/"),
    ])
    func `a pattern matches the hosts that it describes`(pattern: String, url: String) throws {
        #expect(try #require(HostPattern(pattern)).matches(WebURL(url)))
    }

    @Test(arguments: [
        ("example.com", "http://a.example.com/"), ("example.com", "http://example.com.evil.net/"),
        ("example.com", "http://evilexample.com/"), ("example.com", "http://example.org/"),
        ("example.com", "http://evil.net/example.com/"), ("example.com", "http://evil.net/?example.com"),
        ("example.com", "http://evil.net/#example.com"), ("i.example.com", "http://ixexample.com/"),
        ("*.example.com", "http://example.com/"), ("*.example.com", "http://evilexample.com/"),
        ("*.example.com", "http://a.example.com.evil.net/"), ("*.example.com", "http://evil.net/.example.com/"),
        ("*.example.com", "http://a.example.community/"), ("*.0.0.1", "http://10.0.0.1/"),
        ("example.com:8080", "http://example.com/"), ("example.com:80", "https://example.com/"),
        ("bücher.example", "http://bucher.example/"), ("bucher.example", "http://bücher.example/"),
        ("10.0.0.1", "http://10.0.0.2/"), ("[2001:db8::1]", "http://[2001:db8::2]/"),
    ])
    func `a pattern does not match other hosts`(pattern: String, url: String) throws {
        guard let pattern = HostPattern(pattern) else { return }
        #expect(try !pattern.matches(WebURL(url)))
    }

    @Test(arguments: [
        ("https://example.com", "https://example.com/a.jpg", true),
        ("https://example.com", "http://example.com/a.jpg", false),
        ("HTTP://example.com", "http://example.com/a.jpg", true),
        ("https://*.example.com", "https://a.example.com/", true),
        ("https://example.com:8443", "https://example.com:8443/", true), ("example.com/", "http://example.com/a", true),
        ("https://example.com/photos/", "https://example.com/photos/a.jpg", true),
        ("https://example.com/photos/", "https://example.com/photos/b/a.jpg?x=/../", true),
        ("https://example.com/photos", "https://example.com/photos/a.jpg", true),
        ("https://example.com/photos", "https://example.com/photos", false),
        ("https://example.com/photos", "https://example.com/photos2/a.jpg", false),
        ("example.com/photos/", "http://example.com/photos/a.jpg", true),
        ("example.com/photos/", "http://example.com/Photos/a.jpg", false),
        ("example.com/photos/", "http://example.com/a.jpg?/photos/", false),
        ("example.com/photos/", "http://example.com/photos/../secret.jpg", false),
        ("example.com/photos/", "http://example.com/photos/%2e%2e/secret.jpg", false),
        ("example.com/photos/", "http://example.com/photos/..%2Fsecret.jpg", false),
        ("example.com/photos/", "http://example.com/photos/%252e%252e%252fsecret.jpg", false),
        ("example.com/photos/", "http://example.com/photos/..\\secret.jpg", false),
        ("example.com/photos/", "http://example.com/photos/..;/secret.jpg", false),
        ("example.com/a%20b/", "http://example.com/a b/c.jpg", true),
        ("*/photos/", "http://any.example/photos/a", true),
    ])
    func `a pattern of sources limits scheme and folder`(pattern: String, url: String, matches: Bool) throws {
        #expect(try #require(HostPattern(source: pattern)).matches(WebURL(url)) == matches)
    }

    @Test(arguments: [
        ("example.com", "http://example.com/", true), ("example.com", "https://EXAMPLE.com.:8443/a.jpg", true),
        ("example.com", "http://a.example.com/", false), ("*.example.com", "http://a.b.example.com/", true),
        ("*.example.com", "http://example.com/", false), ("*", "http://10.0.0.1/", true),
        ("example.com:8443", "https://example.com:8443/", true), ("example.com:8443", "https://example.com/", false),
        ("https://example.com", "https://example.com/", true), ("https://example.com", "http://example.com/", false),
        ("93.184.216.34", "http://[::ffff:93.184.216.34]/", true), ("93.184.216.34", "http://0x5db8d822/", true),
        ("93.184.216.34:80", "http://[64:ff9b::5db8:d822]/", true), ("93.184.216.34", "http://[2001:db8::1]/", false),
        ("[2001:db8::1]", "http://[2001:db8:0::1]/", true), ("127.1", "http://127.0.0.1/", true),
        ("example.com/secret/", "http://example.com/secret/a.jpg", true),
        ("example.com/secret/", "http://example.com/secret", true),
        ("example.com/secret/", "http://example.com/secret2/a.jpg", false),
        ("example.com/secret/", "http://example.com/a/secret/b.jpg", false),
        ("example.com/secret/", "http://example.com/a.jpg?/secret/", false),
        ("example.com/secret/", "http://example.com//secret///a.jpg", true),
        ("example.com/secret/", "http://example.com/%73ecret/a.jpg", true),
        ("example.com/secret/", "http://example.com/%2573ecret%2Fa.jpg", true),
        ("example.com/secret/", "http://example.com/Secret\\a.jpg", true),
        ("example.com/secret/", "http://example.com/secret;v=1/a.jpg", true),
        ("example.com/secret/", "http://example.com/a/..%2Fsecret/b.jpg", true),
        ("example.com/secret/", "http://other.example/a/..%2Fsecret/b.jpg", false),
        ("example.com/a%20b/", "http://example.com/a b/c.jpg", true),
    ])
    func `a denied pattern matches every URL that could reach it`(pattern: String, url: String, matches: Bool) throws {
        #expect(try #require(HostPattern(source: pattern)).mayReach(WebURL(url)) == matches)
    }

    @Test(arguments: [
        "ftp://example.com", "https://", "https:///a", "://a", "example.com/a/../b/", "example.com/a//b",
        "example.com/a?b",
        "example.com/a#b", "example.com/a b/", "example.com/%zz/", "example.com/é/", "https://user@example.com/a",
        "https://https://a",
    ])
    func `a malformed pattern of sources is rejected`(text: String) { #expect(HostPattern(source: text) == nil) }

    @Test(arguments: [
        "", "*.", ".", "a..b", ".example.com", "example.com.", "a.*.example.com", "*example.com", "a*", "**", "*.*",
        "http://example.com", "example.com/", "user@example.com", "example.com:", "example.com:0", "example.com:65536",
        "example.com:http", "example.com:+80", "１０.０.０.１", "exa mple.com", "[::1", "[example.com]", "::1", "%2e",
        "*.10.0.0.1", "example.1",
    ])
    func `a malformed pattern is rejected`(text: String) {
        #expect(HostPattern(text) == nil)
    }
}
