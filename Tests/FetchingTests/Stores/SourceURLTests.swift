import Fetching
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct SourceURLTests {
    @Test(arguments: [
        ("s3://bucket/a.jpg", "s3://bucket/a.jpg"),
        ("S3://bucket/A.jpg", "s3://bucket/A.jpg"),
        ("s3://my_bucket.example/a/b.jpg", "s3://my_bucket.example/a/b.jpg"),
        ("s3://bucket/a%20b+c.jpg", "s3://bucket/a%20b%2Bc.jpg"),
        ("s3://bucket/caf%c3%a9.jpg", "s3://bucket/caf%C3%A9.jpg"),
        ("s3://bucket/café.jpg", "s3://bucket/caf%C3%A9.jpg"),
        ("s3://bucket/%61%3F%23%25.jpg", "s3://bucket/a%3F%23%25.jpg"),
        ("s3://bucket/a%2Fb.jpg", "s3://bucket/a/b.jpg"),
        ("s3://bucket//a//b/", "s3://bucket//a//b/"),
        ("s3://bucket/a b{c}.jpg", "s3://bucket/a%20b%7Bc%7D.jpg"), ("local:///a b.jpg", "local:///a%20b.jpg"),
        ("s3://bucket/.hidden/...", "s3://bucket/.hidden/..."),
        ("s3://bucket/a.jpg?versionId=a%2Bb.c_d", "s3://bucket/a.jpg?versionId=a%2Bb.c_d"),
        ("local:///a.jpg", "local:///a.jpg"),
        ("LOCAL:///a/b c.jpg".replacing(" ", with: "%20"), "local:///a/b%20c.jpg"),
        ("local:///caf%c3%a9+%3f%2520.jpg", "local:///caf%C3%A9%2B%3F%2520.jpg"),
    ])
    func `a valid URL is normalised, and normalising it again changes nothing`(text: String, expected: String) throws {
        let url = try SourceURL(text)
        #expect(url.string == expected)
        #expect(try SourceURL(expected) == url)
    }

    @Test(arguments: [
        "s3:", "s3:/bucket/a", "s3://", "s3:///a.jpg", "s3://bucket", "s3://bucket/", "s3://-bucket/a",
        "s3://.bucket/a",
        "s3://../bucket/a", "s3://user@bucket/a", "s3://bucket:80/a", "s3://bu%63ket/a", "s3://bücket/a",
        "s3://" + String(repeating: "b", count: 64) + "/a", "s3://bucket/" + String(repeating: "a", count: 1025),
        // Servers normalise these segments, so they could refer to another bucket.
        "s3://bucket/../other/a", "s3://bucket/a/..", "s3://bucket/./a", "s3://bucket/%2e%2e/other/a",
        "s3://bucket/a%2F..%2Fb", "s3://bucket/..%2fother",
        "s3://bu cket/a", "s3://bucket/a\n", "s3://bucket/a\\b", "s3://bucket/%00", "s3://bucket/%", "s3://bucket/%zz",
        "s3://bucket/%ff", "s3://bucket/a#b",
        "s3://bucket/a?", "s3://bucket/a?versionId=", "s3://bucket/a?versionId=a&b=c", "s3://bucket/a?acl",
        "s3://bucket/a?versionId=%0d%0aX", "s3://bucket/a?versionId=a%26acl",
    ])
    func `an invalid object URL is rejected`(text: String) {
        #expect(throws: FetchError.self) { try SourceURL(text) }
    }

    @Test(arguments: [
        "local:", "local:a.jpg", "local:/a.jpg", "local://a.jpg", "local://host/a.jpg", "local:///", "local:////a.jpg",
        "local:///a//b.jpg", "local:///a/", "local:///..", "local:///../a", "local:///a/../../b", "local:///a/./b",
        "local:///%2e%2e/a", "local:///%2E./a", "local:///.%2e/a", "local:///a/..%2f..%2fb", "local:///a%2fb",
        "local:///..%5c..%5cb", "local:///.hidden", "local:///%2ehidden", "local:///a/.git/config", "local:///a%00.jpg",
        "local:// /a", "local:///a\\b", "local:///a?b", "local:///a#b", "local:///%",
        "local:///" + String(repeating: "a", count: 256), "local:///" + String(repeating: "a/", count: 2048) + "a",
    ])
    func `a path that could leave the folder or that is hidden is rejected`(text: String) {
        #expect(throws: FetchError.self) { try SourceURL(text) }
    }

    @Test func `texts in different Unicode normalization forms are different objects`() throws {
        let (composed, decomposed) = ("s3://bucket/caf\u{E9}.jpg", "s3://bucket/cafe\u{301}.jpg")
        #expect(try SourceURL(composed) != SourceURL(decomposed))
    }

    @Test(arguments: ["a.jpg?token=1", "a.jpg"])
    func `a redirect never leads to an object or a file`(name: String) throws {
        for target in ["s3://bucket/\(name)", "local:///a.jpg"] {
            #expect(throws: FetchError.self) { try WebURL("https://example.com/").redirected(to: target) }
        }
    }
}
