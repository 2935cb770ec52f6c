import Fetching
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct BaseURLTests {
    @Test(arguments: [
        ("https://example.com", "a.jpg", "https://example.com/a.jpg"),
        ("https://example.com/photos", "a.jpg", "https://example.com/photos/a.jpg"),
        ("https://example.com/photos/", "/a.jpg", "https://example.com/photos/a.jpg"),
        ("https://EXAMPLE.com:443/photos/../x", "/a.jpg", "https://example.com/x/a.jpg"),
        (
            "https://example.com/photos", "b/c%20d.jpg?size=1&x=a:b",
            "https://example.com/photos/b/c%20d.jpg?size=1&x=a:b"
        ),
        ("https://example.com/photos", "/12:30.jpg", "https://example.com/photos/12:30.jpg"),
        ("https://example.com", "a b|c%.jpg?x=y z", "https://example.com/a%20b%7Cc%25.jpg?x=y%20z"),
        ("s3://bucket", "a b%.jpg", "s3://bucket/a%20b%25.jpg"),
        ("s3://bucket", "a+b.jpg", "s3://bucket/a%2Bb.jpg"),
        ("s3://bucket/users/", "/7/a.jpg?versionId=x", "s3://bucket/users/7/a.jpg?versionId=x"),
        ("local:///", "a.jpg", "local:///a.jpg"),
        ("local:///photos", "/b/a.jpg", "local:///photos/b/a.jpg"),
    ])
    func `a relative URL is resolved below the base`(base: String, address: String, expected: String) throws {
        #expect(BaseURL.isShort(address))
        #expect(try BaseURL(base).resolved(address).string == expected)
    }

    @Test(arguments: [
        "..", "../a.jpg", "/../a.jpg", "b/../../a.jpg", "b/../a.jpg", "./a.jpg", "%2e%2e/a.jpg", "b/%2e%2E/a.jpg",
        "..%2fa.jpg", "b%2F..%2F..%2Fa.jpg", "..\\a.jpg", "%00", "/", "a\n.jpg", "b\\c.jpg",
    ])
    func `a relative URL does not leave the base`(address: String) throws {
        for base in ["https://example.com/photos/", "s3://bucket/photos", "local:///photos"] {
            let base = try BaseURL(base)
            #expect(throws: FetchError.self) { try base.resolved(address) }
        }
    }

    @Test(arguments: [
        "", "//example.com/a.jpg", "https://example.com/a.jpg", "s3:/a", "mailto:a", "a:b.jpg", "http:a",
    ])
    func `other URLs are not relative`(address: String) { #expect(!BaseURL.isShort(address)) }

    @Test(arguments: [
        "", "photos", "/photos", "ftp://example.com/", "https://example.com/?a=b", "https://h/#a", "s3://",
    ])
    func `a base must be the URL of a folder`(text: String) { #expect(throws: FetchError.self) { try BaseURL(text) } }
}
