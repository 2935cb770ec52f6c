import Caching
import HTTPTypes
import HeadroomAPI
import TestHTTP
import TestPacing
import Testing

/// The settings of tag headers and of fixed headers, and responses with them.
@Suite(.limitedConcurrency) struct TagHeadersTests {
    @Test(arguments: [
        ("Cache-Tag", "Cache-Tag"), ("surrogate-key, XKEY", "surrogate-key,XKEY"), ("none", "none"),
        ("X-Tags:space,Edge-Cache-Tag", "X-Tags:space,Edge-Cache-Tag"), ("Cache-Tag:comma", "Cache-Tag"),
        ("Cache-Tag:space", "Cache-Tag:space"),
    ])
    func `names and separators are read`(text: String, expected: String) throws {
        #expect(try #require(TagHeaders(text)).text == expected)
        #expect(TagHeaders("Cache-Tag") == .standard)
    }

    @Test(arguments: [
        "", ",", "X-Tags", "X-Tags:semicolon", "X-Tags:", "X Tags:space", "Cache-Control:comma", "Content-Type:comma",
        "CDN-Cache-Control:comma", "Set-Cookie:space", "Cache-Tag,cache-tag", "none,Cache-Tag", "ETag",
        (1...9).map { "X-\($0):comma" }.joined(separator: ","),
    ])
    func `other tag headers are rejected`(text: String) {
        #expect(TagHeaders(text) == nil)
    }

    private static let refusals: [(line: String, problem: String)] = [
        ("X-Robots-Tag", "line 1: expected a field, such as X-Robots-Tag: noindex"),
        (": a", "line 1: expected the name of a field"), ("X Y: a", "line 1: expected the name of a field"),
        ("X-A:", "line 1: expected a value of visible ASCII, at most 1024 bytes"),
        ("X-A: \u{E9}", "line 1: expected a value of visible ASCII, at most 1024 bytes"),
        ("X-A: a\u{1}b", "line 1: expected a value of visible ASCII, at most 1024 bytes"),
        (
            "X-A: \(String(repeating: "a", count: 1025))",
            "line 1: expected a value of visible ASCII, at most 1024 bytes"
        ),
        ("X-A: a\nx-a: b", "line 2: expected x-a once"),
        ((1...33).map { "X-\($0): a" }.joined(separator: "\n"), "line 33: expected at most 32 fields"),
    ]

    @Test(arguments: refusals)
    func `invalid lines of a file of fixed headers are rejected`(line: String, problem: String) {
        let error = #expect(throws: FixedFields.Problems.self) { try FixedFields(Array(line.utf8)) }
        #expect(error?.lines == [problem])
    }

    @Test(arguments: [
        "Cache-Control", "cdn-cache-control", "Surrogate-Control", "Content-Length", "content-type",
        "Transfer-Encoding",
        "Connection", "Vary", "ETag", "Set-Cookie", "Access-Control-Allow-Origin", "Content-Security-Policy",
        "Referrer-Policy", "X-Content-Type-Options", "Cross-Origin-Resource-Policy", "WWW-Authenticate", "Location",
        "X-Accel-Redirect", "Headroom-Faces", "X-Request-Id", "Date", "Retry-After", "Cache-Tag", "Surrogate-Key",
    ])
    func `headers that the service needs cannot be fixed`(name: String) {
        let error = #expect(throws: FixedFields.Problems.self) { try FixedFields(Array("\(name): a".utf8)) }
        #expect(error?.lines == ["line 1: \(name) belongs to the service"])
    }

    @Test func `all responses contain the configured headers, even problems and responses from the index`() async throws
    {
        let image = try Images.singleJPEG.get()
        var options = TestService.Options()
        options.caches = CacheConfiguration()
        options.tagHeaders = try #require(TagHeaders("Surrogate-Key,Edge-Cache-Tag"))
        let file = "# a comment\r\n\nStrict-Transport-Security:  max-age=5 \r\nX-Robots-Tag: noindex, nofollow\n"
        options.fixedFields = try FixedFields(Array(file.utf8))
        try await TestService.running(ScriptedDetector(), options) { service in
            try await TestOrigin.running(["/a.jpg": .file(image)]) { origin in
                // Headers of settings are not described in openapi.yaml.
                func reply(_ target: String) async throws -> TestClient.Reply {
                    let client = try service.client()
                    try await client.send("GET", target)
                    return try await client.reply()
                }
                let url = "/frame?url=" + percentEncoded(origin)
                for target in ["/a.jpg", "/a.jpg", "/absent.jpg"] {
                    let reply = try await reply(url + target)
                    #expect(reply["Cache-Tag"] == nil)
                    #expect(reply["Surrogate-Key"]?.wholeMatch(of: /source-[0-9a-f]{16} host-127\.0\.0\.1/) != nil)
                    #expect(reply["Edge-Cache-Tag"]?.wholeMatch(of: /source-[0-9a-f]{16},host-127\.0\.0\.1/) != nil)
                }
                for target in [url + "/a.jpg", url + "/absent.jpg", "/healthz", "/unknown"] {
                    let reply = try await reply(target)
                    #expect(reply["Strict-Transport-Security"] == "max-age=5")
                    #expect(reply["X-Robots-Tag"] == "noindex, nofollow")
                }
            }
        }
    }
}
