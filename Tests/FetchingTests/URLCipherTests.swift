import Fetching
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct URLCipherTests {
    /// The example of docs/sources.md: a key of the bytes 0 to 31.
    private static let key = (0..<32).map { UInt8($0) }
    private static let url = "https://example.com/team.jpg"
    private static let text = "enc:ATzxoeVsQLhBLHWfsofm-2Zy1cfN5j7Ycp2n9QQuXOo3r_Qsqb2vnhL8mKSsWb328qTS_DQ8djY"
    private static let otherKey = [UInt8](repeating: 9, count: 32)

    @Test func `equal URLs have equal texts, which only their key decrypts`() throws {
        let cipher = try #require(URLCipher(keys: [Self.key]))
        #expect(cipher.sealed(Self.url) == Self.text)
        #expect(cipher.opened(Self.text) == Self.url)
        #expect(cipher.opened("\(Self.text)==") == Self.url)
        let other = try #require(URLCipher(keys: [Self.otherKey]))
        #expect(other.opened(Self.text) == nil && other.sealed(Self.url) != Self.text)
        // All keys decrypt; the first key encrypts.
        let both = try #require(URLCipher(keys: [Self.otherKey, Self.key]))
        #expect(both.opened(Self.text) == Self.url && both.sealed(Self.url) == other.sealed(Self.url))
        #expect(cipher != other && cipher == URLCipher(keys: [Self.key]))
    }

    @Test(arguments: [[], [[]], [[1]], [[UInt8](repeating: 1, count: 16)], [key, [1]]] as [[[UInt8]]])
    func `keys that do not have 256 bits are rejected`(keys: [[UInt8]]) { #expect(URLCipher(keys: keys) == nil) }

    @Test func `every wrong text gets the same error`() throws {
        let cipher = try #require(URLCipher(keys: [Self.key]))
        let fetcher = ImageFetcher.local { $0.rules.cipher = cipher }
        #expect(try fetcher.url(Self.text).string == Self.url)
        #expect(!fetcher.namesOrigin(Self.text))
        let texts = [
            "enc:", "enc:AAAA", "enc:?", "enc:\(String(repeating: "A", count: 75))", String(Self.text.dropLast()),
            Self.text + "A", "enc:" + Self.text, try #require(cipher.sealed("team.jpg")),
            try #require(cipher.sealed("ftp://example.com/")), try #require(cipher.sealed(Self.text)),
            try #require(URLCipher(keys: [Self.otherKey])?.sealed(Self.url)),
        ]
        for text in texts {
            #expect(throws: ImageFetcher.invalidEncryptedURL) { try fetcher.url(text) }
        }
        #expect(cipher.sealed("") == nil && cipher.sealed(String(repeating: "a", count: 8193)) == nil)
    }

    @Test func `without keys the text is an invalid URL`() {
        let error = FetchError.invalidURL(
            "this service does not accept encrypted URLs, which require --source-encryption-keys-file"
        )
        #expect(throws: error) { try ImageFetcher.local().url(Self.text) }
    }

    @Test func `without a base a relative URL is an invalid URL`() {
        let error = FetchError.invalidURL("this service does not accept relative URLs, which require --base-url")
        #expect(throws: error) { try ImageFetcher.local().url("/a.jpg") }
    }
}
