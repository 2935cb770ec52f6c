import Fetching
import TestPacing
import Testing

/// The part of a source URL that may appear in a log.
@Suite(.limitedConcurrency) struct SourcePlaceTests {
    @Test(
        arguments: [
            ("https://Example.com/a.jpg?X-Amz-Signature=secret", "example.com"),
            ("https://example.com:443/a.jpg", "example.com"),
            ("http://example.com:443/a.jpg", "example.com:443"),
            ("http://user.example:8080/a.jpg", "user.example:8080"),
            ("http://[2001:db8::1]/a.jpg", "[2001:db8::1]"),
            ("s3://pictures/team/a.jpg?versionId=1", "pictures"),
            ("local:///team/a.jpg", nil),
        ] as [(String, String?)]
    )
    func `the logged place of a source is its host or bucket`(url: String, place: String?) throws {
        #expect(try SourceURL(url).place == place)
    }
}
