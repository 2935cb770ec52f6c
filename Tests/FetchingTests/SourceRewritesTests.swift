import Fetching
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct SourceRewritesTests {
    /// Rules, a URL of a client, and the URL that is fetched; nil if no rule matches.
    private static let rows: [(rules: String, url: String, result: String?)] = [
        ("photos://=s3://bucket/public/", "photos://team/a.jpg", "s3://bucket/public/team/a.jpg"),
        ("photos://=s3://bucket/public/", "PHOTOS://a.jpg", "s3://bucket/public/a.jpg"),
        ("photos://=s3://bucket/public/", "photos2://a.jpg", nil),
        ("photos://=s3://bucket/public/", "photos:/a.jpg", nil),
        ("photos://=s3://bucket/public/", "https://example.com/?photos://a.jpg", nil),
        ("photos://=s3://bucket/public/", "photos://", "s3://bucket/public/"),
        (
            "https://old.example/=https://new.example/img/", "https://OLD.example/a.jpg?v=1",
            "https://new.example/img/a.jpg?v=1"
        ),
        ("https://old.example/=https://new.example/img/", "//old.example/a.jpg", "https://new.example/img/a.jpg"),
        (
            "https://old.example/=https://new.example/img/", " https://old.example/a.jpg",
            "https://new.example/img/a.jpg"
        ),
        ("https://old.example/=https://new.example/img/", "http://old.example/a.jpg", nil),
        ("https://old.example/=https://new.example/img/", "https://old.example.evil.net/a.jpg", nil),
        ("https://old.example/=https://new.example/img/", "https://old.example:8443/a.jpg", nil),
        ("https://old.example/=https://new.example/img/", "https://old.example", nil),
        ("https://old.example/A/=https://new.example/", "https://old.example/A/a.jpg", "https://new.example/a.jpg"),
        ("https://old.example/A/=https://new.example/", "https://old.example/a/a.jpg", nil),
        (
            "cdn-*://=https://${1}.example.com/", "cdn-eu_2://photos/a.jpg",
            "https://eu_2.example.com/photos/a.jpg"
        ),
        ("cdn-*://=https://${1}.example.com/", "cdn-://photos/a.jpg", nil),
        ("cdn-*://=https://${1}.example.com/", "cdn-a.b://photos/a.jpg", nil),
        (
            "https://*.old.example/=https://new.example/${1}/", "https://a.old.example/b.jpg",
            "https://new.example/a/b.jpg"
        ),
        ("https://*.old.example/=https://new.example/${1}/", "https://a.b.old.example/b.jpg", nil),
        ("https://*.old.example/=https://new.example/${1}/", "https://evil.net/.old.example/b.jpg", nil),
        ("https://*.old.example/=https://new.example/${1}/", "https://evil.net%2f.old.example/b.jpg", nil),
        ("x://*/*/=https://e.example/${2}/${1}/", "x://a/b/c.jpg", "https://e.example/b/a/c.jpg"),
        ("x://*/*/=https://e.example/${2}/${1}/", "x://../b/c.jpg", nil),
        ("x://*/=https://e.example/fixed/", "x://a/b.jpg", "https://e.example/fixed/b.jpg"),
        // Only the first matching rule is applied, and only once.
        (
            "http://a.example/=http://b.example/,http://b.example/=http://c.example/", "http://a.example/x",
            "http://b.example/x"
        ),
        ("x://y/=https://one.example/;x://=https://two.example/", "x://y/z", "https://one.example/z"),
        ("x://y/=https://one.example/; x://=https://two.example/", "x://w/z", "https://two.example/w/z"),
    ]

    @Test func `the first matching rule replaces the beginning of a URL, once`() throws {
        for row in Self.rows {
            let rules = try #require(SourceRewrites(row.rules), "\(row.rules)")
            #expect(try rules.rewritten(row.url) == row.result, "\(row)")
            #expect(rules.apply(to: row.url) == (row.result != nil), "\(row)")
        }
        #expect(try SourceRewrites().rewritten("https://example.com/a.jpg") == nil)
    }

    @Test(arguments: [
        "photos://../secret.jpg", "photos://a/../../secret.jpg", "photos://%2e%2e/secret.jpg",
        "photos://..%2fsecret.jpg", "photos://%252e%252e%252fsecret.jpg", "photos://..\\secret.jpg",
        "photos://./a.jpg", "photos://..;/secret.jpg?a",
    ])
    func `the rest of a URL does not leave the folder of the replacement`(url: String) throws {
        let rules = try #require(SourceRewrites("photos://=https://example.com/public/"))
        #expect(throws: FetchError.self) { try rules.rewritten(url) }
        #expect(try rules.rewritten("photos://a.jpg?b=../c#..") == "https://example.com/public/a.jpg?b=../c#..")
    }

    @Test(arguments: [
        "", "photos://", "=https://example.com/", "photos://=", "photos://=https://", "photos://=s3://",
        "photos=https://example.com/", "photos://=https://example.com", "photos://a=https://example.com/",
        "photos:/=https://example.com/", "//old.example/=https://example.com/", "1a://=https://example.com/",
        "a b://=https://example.com/", "a://?/=https://example.com/", "a://=https://example.com/?b/",
        "a://=https://user@example.com/", "a://=ftp://example.com/", "a://=https://example.com/../b/..%2f/?",
        "a**://=https://example.com/", "a*b://=https://example.com/", "*-a://=https://example.com/",
        "a-*://=https://${2}.example.com/", "a-*://=https://$1.example.com/", "a-*://=https://${0}.example.com/",
        "a-*://=https://${1.example.com/", "a-*://=https://example.com:${1}/", "a://=https://example.com/,",
        "a://=https://example.com/,,b://=https://example.com/", "a://=b://c/",
        "a://*/*/*/*/*/*/*/*/*/*/=https://example.com/",
    ])
    func `a malformed rule is rejected`(text: String) { #expect(SourceRewrites(text) == nil) }

    @Test func `the number and the length of rules are limited`() {
        func rules(_ count: Int) -> String {
            (0..<count).map { "a\($0)://=https://example.com/" }.joined(separator: ",")
        }
        #expect(SourceRewrites(rules(SourceRewrites.maxRules)) != nil)
        #expect(SourceRewrites(rules(SourceRewrites.maxRules + 1)) == nil)
        let long = String(repeating: "a", count: SourceRewrites.maxBytes)
        #expect(SourceRewrites("\(long)://=https://example.com/") == nil)
        #expect(SourceRewrites("a://=https://example.com/\(long)/") == nil)
    }

    @Test func `rules apply before every check, and only to the URLs of clients`() throws {
        let fetcher = ImageFetcher.local {
            $0.rules.rewrites = SourceRewrites("photos://=https://example.com/public/") ?? SourceRewrites()
            $0.rules.allowedHosts = [HostPattern("other.example")].compactMap(\.self)
        }
        let url = try fetcher.url("photos://a.jpg")
        #expect(url.string == "https://example.com/public/a.jpg")
        #expect(fetcher.refusal(of: url) == "example.com:443 is not an allowed host")
        #expect(!fetcher.namesOrigin("photos://a.jpg") && fetcher.namesOrigin("https://example.com/public/a.jpg"))
        #expect(throws: FetchError.self) { try fetcher.url("photo://a.jpg") }
        #expect(throws: FetchError.self) { try fetcher.url("photos://../a.jpg") }
    }
}
