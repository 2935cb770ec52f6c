import Encodings
import Fetching
import Testing

/// Paths that a server may resolve to a file outside the folder, and similar paths that stay inside the folder.
@Suite struct PathTextTests {
    /// Paths that make some server leave the folder, or whose meaning depends on the server.
    static let leaving = [
        "..", ".", "../a.jpg", "a/../../b.jpg", "a/./b.jpg", "%2e%2E/a.jpg", "a/%2E./b.jpg",
        // Encoded twice and three times, in upper and lower case.
        "%252e%252e/a.jpg", "a/%252E%252e/b.jpg", "%25252e%25252E/a.jpg", "..%252fa.jpg", "a%25252f..%25252Fb.jpg",
        // A part that cannot be decoded.
        "x%25ff/%252e%252e/a.jpg", "%25zz/%252e%252e/a.jpg", "x%25f/..%252fb.jpg", "a%25/%252e%252e/b.jpg",
        // Hexadecimal digits of an escape that are escaped themselves.
        "%25%32e%25%32e/a.jpg", "%25%32%65%25%32%45/a.jpg",
        // Overlong UTF-8 of a dot, a slash and a backslash.
        "%25c0%25ae%25c0%25ae/a.jpg", "..%25c0%25afa.jpg", "..%25c1%259ca.jpg", "%25e0%2580%25ae%25e0%2580%25ae/a.jpg",
        "%25f0%2580%2580%25ae/a.jpg", "%25f8%2580%2580%2580%25ae/a.jpg", "%25fc%2580%2580%2580%2580%25ae/a.jpg",
        "%25c0%252e/a.jpg",
        // Backslashes.
        "..%5ca.jpg", "a%5c..%5Cb.jpg", "..%255ca.jpg", "a%25255C..%25255c..%25255cb.jpg",
        // Segments that servers normalise.
        "..;/a.jpg", "..;a=b/a.jpg", "..%3b/a.jpg", "%252e%252e%253Bx/a.jpg", "..%253fx/a.jpg", "..%2523/a.jpg",
        "..%00", "..%2500/a.jpg", "a%00.jpg", "a%2500.jpg", "..%20/a.jpg", "%252e%2509%252e/a.jpg",
        ".%250d%250a./a.jpg",
    ]

    static let staying = [
        "a.jpg", "a/b/c.jpg", "...", ".../a.jpg", "..a.jpg", "a..", "a../b.jpg", ".a/b.jpg", "%2e%2ea.jpg", "a%20b.jpg",
        "100%25.jpg", "100%2525.jpg", "x%25ff.jpg", "x%25zz.jpg", "caf%C3%A9.jpg", "%E2%80%A5/a.jpg", "a;b=..;/c.jpg",
        "a;..", "a%3f..%23.jpg", "%25e0%25a0%2580.jpg", "%F0%9F%98%80.jpg", "",
    ]

    @Test(arguments: leaving) func `a path that may leave its folder is detected`(path: String) {
        #expect(PathText.mayLeaveFolder(path.utf8))
    }

    @Test(arguments: staying) func `other paths stay in their folder`(path: String) {
        #expect(!PathText.mayLeaveFolder(path.utf8))
    }

    @Test(arguments: leaving) func `a relative URL that may leave the base is rejected`(path: String) throws {
        for base in ["https://example.com/photos/", "s3://bucket/photos", "local:///photos"] {
            let base = try BaseURL(base)
            #expect(throws: FetchError.self) { try base.resolved(path) }
        }
    }

    @Test(arguments: [("a%5cb", true), ("a%255Cb", true), ("a\\b", true), ("a/b", false), ("a%25b", false)])
    func `a backslash is detected in any encoding`(path: String, isFound: Bool) {
        #expect(PathText.hasBackslash(path.utf8) == isFound)
    }

    @Test func `complete decoding takes time that is linear in the length`() {
        // Each pass of a decoder removes two bytes, so decoding in repeated passes would take seconds.
        let path = "%" + String(repeating: "25", count: 500_000) + "2e"
        #expect(PercentEncoding.fullyDecoded(path.utf8) == Array(".".utf8))
    }

    @Test(arguments: [
        ("%2e", "."), ("%252e", "."), ("%zz%2e", "%zz."), ("%", "%"), ("%2", "%2"), ("%%32e", "."), ("%ff", "\u{FF}"),
        ("%2%35e", "%e"), ("a+b", "a+b"), ("", ""),
    ])
    func `all escapes are decoded, including nested ones`(text: String, expected: String) {
        let bytes = expected.unicodeScalars.map { UInt8($0.value) }
        #expect(PercentEncoding.fullyDecoded(text.utf8) == bytes)
    }
}
