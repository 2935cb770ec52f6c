import Addresses
import HTTPTypes
import HeadroomAPI
import Requests
import TestPacing
import Testing

/// Signatures of imgix and Cloudinary, with test vectors from the Python packages of these services.
@Suite(.limitedConcurrency) struct ForeignSignatureTests {
    private func secrets(_ text: String) throws -> [Secret] { try Secret.list(text, lengths: 1...256) }

    private func tokens(_ text: String, of sources: ImgixSources = ImgixSources()) throws -> ImgixTokens {
        try ImgixTokens(text, of: sources)
    }

    private func accepts(_ urlFormat: some URLFormat, _ address: String) -> Bool {
        (try? urlFormat.verify(TranslationRow.parts(address))) != nil
    }

    private static let imgixPath = "/http%3A%2F%2Fexample.com%2Fa.jpg"
    private static let imgixDigest = "398c79377a35fc7f6403cb5bb46fd25d"

    @Test(arguments: [
        "\(imgixPath)?fit=crop&w=300&s=\(imgixDigest)",
        "\(imgixPath)?s=\(imgixDigest)&fit=crop&w=300",
    ])
    func `imgix's signature is verified`(address: String) throws {
        #expect(accepts(ImgixURLFormat(tokens: try tokens("FOO123bar")), address))
        #expect(accepts(ImgixURLFormat(tokens: try tokens("another-token,FOO123bar")), address))
        #expect(!accepts(ImgixURLFormat(tokens: try tokens("FOO123baz")), address))
    }

    @Test(arguments: [
        "\(imgixPath)?fit=crop&w=300",
        "\(imgixPath)?fit=crop&w=300&s=",
        "\(imgixPath)?fit=crop&w=301&s=\(imgixDigest)",
        "\(imgixPath)?w=300&fit=crop&s=\(imgixDigest)",
        "\(imgixPath)x?fit=crop&w=300&s=\(imgixDigest)",
        "\(imgixPath)?fit=crop&w=300&s=398C79377A35FC7F6403CB5BB46FD25D",
        "\(imgixPath)?fit=crop&w=300&s=\(imgixDigest)&s=00",
    ])
    func `a different imgix URL is rejected`(address: String) throws {
        let urlFormat = ImgixURLFormat(tokens: try tokens("FOO123bar"))
        #expect(throws: Problem.self) { try urlFormat.verify(TranslationRow.parts(address)) }
        do { try urlFormat.verify(TranslationRow.parts(address)) } catch { #expect(error.status == .forbidden) }
    }

    /// md5("FOO123bar" + "/a.jpg?w=3") and md5("FOO123bar" + "/a.jpg").
    @Test(arguments: [
        "/shop/a.jpg?w=3&s=0b5add03d71056273f561d42608ce227",
        "/shop/a.jpg?s=97e1ea6f8b872432df750068288cd834",
    ])
    func `the signature does not cover the name of an imgix source`(address: String) throws {
        let sources = try #require(ImgixSources("shop=https://shop.example"))
        #expect(accepts(ImgixURLFormat(sources: sources, tokens: try tokens("FOO123bar", of: sources)), address))
    }

    @Test(
        arguments: [
            ("token-000", "*", nil), ("token-000 token-111", "shop=https://a.example", nil),
            ("token-00==", "*", nil), ("*=token-00==", "*", nil),
            ("shop=token-000,token-111", "shop=https://a.example,*", nil),
            ("shop=token-000\nshop=token-111\npress=token-222", "shop=https://a.example,press=https://b.example", nil),
            ("", "*", "contains no secret"), ("short", "*", "number 1 has 5 characters"),
            ("token-000,shop=short", "shop=https://a.example,*", "number 2 has 5 characters"),
            ("token-000", "shop=https://a.example,*", "without the name of a source (*, shop): expected name=token"),
            ("token-000", "a=https://a.example,b=https://b.example", "name of a source (a, b): expected name=token"),
            ("shop=token-000,token-111", "shop=https://a.example", "the name of a source (each source has a token)"),
            ("shop=token-000", "shop=https://a.example,*", "has no token of *"),
            ("press=token-000", "shop=https://a.example", "number 1 names a source that is missing in imgix-sources"),
            (String(repeating: "token-000 ", count: 17), "*", "contains 17 tokens of one source; expected at most 16"),
        ] as [(String, String, String?)]
    )
    func `each imgix source has separate tokens`(text: String, sources: String, reason: String?) throws {
        let sources = try #require(ImgixSources(sources))
        do {
            let tokens = try ImgixTokens(text, of: sources)
            #expect(reason == nil && !tokens.isEmpty)
        } catch {
            #expect(error.reason.contains(reason ?? "-"), "\(error.reason)")
            #expect(!error.reason.contains("token-"))
        }
    }

    private static let transformation = "c_fill,g_face,h_200,w_300/http://example.com/a.jpg"

    @Test(arguments: [
        "/image/fetch/s--XScBX0I5--/\(transformation)",
        "/demo/image/fetch/s--XScBX0I5--/c_fill,g_face,h_200,w_300/v1/http://example.com/a.jpg",
        "/image/fetch/s--lN8Sra2nUSDu7j-y3_ZghxSgTmA5v7Mq--/\(transformation)?_a=B",
    ])
    func `Cloudinary's signature is verified`(address: String) throws {
        #expect(accepts(CloudinaryURLFormat(secrets: try secrets("abcd")), address))
        #expect(!accepts(CloudinaryURLFormat(secrets: try secrets("abce")), address))
    }

    @Test(arguments: [
        "/image/fetch/\(transformation)",
        "/image/fetch/s----/\(transformation)",
        "/image/fetch/s--XScBX0I6--/\(transformation)",
        "/image/fetch/s--XScBX0I--/\(transformation)",
        "/image/fetch/s--XScBX0I5--/c_fill,g_face,h_200,w_301/http://example.com/a.jpg",
        "/image/fetch/s--XScBX0I5--/c_fill%2Cg_face%2Ch_200%2Cw_301/http://example.com/a.jpg",
    ])
    func `a different Cloudinary URL is rejected`(address: String) throws {
        let urlFormat = CloudinaryURLFormat(secrets: try secrets("abcd"))
        do {
            try urlFormat.verify(TranslationRow.parts(address))
            Issue.record("accepted")
        } catch {
            #expect(error.status == .unauthorized)
        }
    }
}
