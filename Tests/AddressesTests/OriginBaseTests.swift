import Addresses
import HTTPTypes
import HeadroomAPI
import Requests
import Testing

/// Paths below the base URL of another service's sources.
@Suite struct OriginBaseTests {
    private static let base = "https://origin.example/base"

    /// URL formats with a base URL for sources, each with the start of its URLs.
    private static func urlFormats() throws -> [(urlFormat: any URLFormat, start: String)] {
        let origin = OriginBase(base)
        let sources = try #require(ImgixSources("photos=\(base)"))
        return [
            (CloudflareURLFormat(origin: origin), "/w=8/"), (CloudinaryURLFormat(origin: origin), "/image/upload/"),
            (ImageKitURLFormat(origin: origin), "/tr:w-8/"), (ImgixURLFormat(sources: sources), "/photos/"),
        ]
    }

    @Test(arguments: [
        "x%25ff/%252e%252e/a.jpg", "x%25zz/%252e%252E/a.jpg", "%25252e%25252e/a.jpg", "a/..%252f..%252fb.jpg",
        "%25c0%25ae%25c0%25ae/a.jpg", "a%25255cb.jpg", "x%25ff%255cb.jpg", "a/..;x=1/b.jpg", "a/%252e%252e%253b/b.jpg",
        "a/..%2500/b.jpg", "a/%2e%2E/b.jpg", "a%5c..%5cb.jpg", "%ff/a.jpg",
    ])
    func `a path that an origin could resolve outside the base is rejected`(path: String) throws {
        for (urlFormat, start) in try Self.urlFormats() {
            let problem = #expect(throws: Problem.self) {
                try urlFormat.translate(ForeignURL(path: start + path))
            }
            #expect(problem?.status == .badRequest, "\(start)")
        }
    }

    @Test(arguments: ["x%25ff/a.jpg", "100%25.jpg", "a..b/c%20d.jpg", "dir/..a.jpg"])
    func `other paths are not changed`(path: String) throws {
        for (urlFormat, start) in try Self.urlFormats() {
            let source = try urlFormat.translate(ForeignURL(path: start + path)).source
            #expect(source == "\(Self.base)/\(path)", "\(start)")
        }
    }
}
