import Caching
import HTTPTypes
import HeadroomAPI
import Requests
import TestHTTP
import TestPacing
import Testing

/// The freshness that settings define, in responses of a running service.
@Suite(.limitedConcurrency) struct FreshnessRouteTests {
    private let image: [UInt8]

    init() throws { image = try Images.singleJPEG.get() }

    private static func rules(_ values: [(FreshnessRules.Kind, String)]) throws -> FreshnessRules {
        var rules = FreshnessRules()
        for (kind, text) in values { rules[kind] = try #require(Freshness(text)) }
        return rules
    }

    /// Rules with another time for each kind of response.
    private static func all() throws -> FreshnessRules {
        try rules([
            (.crops, "max-age=10, s-maxage=1000"), (.versioned, "max-age=20, immutable"), (.fallbacks, "max-age=30"),
            (.missing, "max-age=40, s-maxage=4"), (.errors, "max-age=50"),
        ])
    }

    private func running(
        _ change: (inout TestService.Options) throws -> Void,
        _ body: (TestService, _ origin: String) async throws -> Void
    ) async throws {
        var options = TestService.Options()
        options.caches = CacheConfiguration()
        options.caching.rules = try Self.all()
        try change(&options)
        let responses = ["/a.jpg": TestOrigin.Response.file(image), "/text": .file(Array("text".utf8))]
        try await TestService.running(ScriptedDetector(), options) { service in
            try await TestOrigin.running(responses) { address in
                try await body(service, address)
            }
        }
    }

    static let kinds: [(query: String, status: Int, expected: String)] = [
        ("/a.jpg", 200, "public, max-age=10, s-maxage=1000"),
        ("/a.jpg&format=json", 200, "public, max-age=10, s-maxage=1000"),
        ("/a.jpg&v=2", 200, "public, max-age=20, immutable"), ("/absent.jpg", 404, "public, max-age=40, s-maxage=4"),
        ("/text", 415, "public, max-age=50"), ("/a.jpg&width=0", 400, "public, max-age=50"),
        ("/a.jpg&width=9000&height=9000&enlarge=true", 422, "public, max-age=50"),
    ]

    @Test(arguments: kinds)
    func `each kind of response has its own freshness`(query: String, status: Int, expected: String) async throws {
        try await running { _ in
        } _: { service, origin in
            let url = "url=" + percentEncoded(origin)
            // The second response is from the response index, if the first was a crop.
            for _ in 0..<2 {
                let reply = try await service.request("GET", "/frame?\(url)\(query)")
                #expect(reply.status == status && reply["Cache-Control"] == expected, "\(reply.text)")
                #expect(reply["ETag"] == nil || status == 200)
            }
        }
    }

    @Test func `a rejection that caches may store has the tags of its source and Vary`() async throws {
        try await running { _ in
        } _: { service, origin in
            let url = "url=" + percentEncoded(origin)
            let page = try await service.request("GET", "/frame?\(url)/text")
            #expect(page.status == 415 && page["Vary"] == "Accept")
            #expect(page["Cache-Tag"]?.wholeMatch(of: /source-[0-9a-f]{16},host-127\.0\.0\.1/) != nil)
            let fixed = try await service.request("GET", "/frame?\(url)/text&format=webp")
            #expect(fixed.status == 415 && fixed["Vary"] == nil)
            let parameter = try await service.request("GET", "/frame?\(url)/a.jpg&width=0")
            #expect(parameter["Vary"] == "Accept" && parameter["Cache-Tag"] == nil)
        }
    }

    @Test func `a rejection of an upload and a failure of the origin or of credentials are never stored`() async throws
    {
        try await running {
            $0.access = Credentials.bearing()
        } _: { service, origin in
            let url = "url=" + percentEncoded(origin)
            let headers = [("Authorization", "Bearer \(Credentials.bearer)")]
            let anonymous = try await service.request("GET", "/frame?\(url)/a.jpg")
            #expect(anonymous.status == 401 && anonymous["Cache-Control"] == "no-store")
            let upload = try await service.request("POST", "/frame?width=0", headers: headers, body: image)
            #expect(upload.status == 400 && upload["Cache-Control"] == "no-store")
            let down = try await service.request(
                "GET",
                "/frame?url=http%3A%2F%2F127.0.0.1:1%2Fa.jpg",
                headers: headers
            )
            #expect(down.status == 502 && down["Cache-Control"] == "no-store")
            let crop = try await service.request("GET", "/frame?\(url)/a.jpg", headers: headers)
            #expect(crop["Cache-Control"] == "private, max-age=10")
            let invalid = try await service.request("GET", "/frame?\(url)/a.jpg&width=0", headers: headers)
            #expect(invalid["Cache-Control"] == "private, max-age=50")
        }
    }

    @Test func `fallback images and degraded crops have their own freshness`() async throws {
        let blank = try Images.blankPNG.get()
        try await running {
            $0.missingImage = FallbackImage(blank)
        } _: { service, origin in
            let url = "url=" + percentEncoded(origin)
            let reply = try await service.request("GET", "/frame?\(url)/absent.jpg")
            #expect(reply.status == 200 && reply["Cache-Control"] == "public, max-age=30")
        }
        let broken = ScriptedDetector { _, _ in throw ScriptedDetector.Broken() }
        for (crops, expected) in [
            ("max-age=10, s-maxage=1000", "public, max-age=10"), ("max-age=1000, immutable", "public, max-age=60"),
            ("no-store", "no-store"),
        ] {
            var options = TestService.Options()
            options.caching.rules = try Self.rules([(.crops, crops)])
            try await TestService.running(broken, options) { service in
                let reply = try await service.request("POST", "/frame", body: image)
                #expect(reply["Headroom-Degraded"] == "no-detection" && reply["Cache-Control"] == expected)
            }
        }
    }

    @Test func `signed requests have the freshness of versions, and never beyond their expiry`() async throws {
        try await running {
            $0.access = Credentials.signing()
        } _: { service, origin in
            func reply(_ path: String, _ pairs: [(name: String, value: String)]) async throws -> String? {
                let pairs = [(name: "url", value: origin + path)] + pairs
                return try await service.request("GET", Credentials.sign("/frame", pairs))["Cache-Control"]
            }
            #expect(try await reply("/a.jpg", []) == "public, max-age=20, immutable")
            let soon = [(name: "expires", value: "1000005")]
            #expect(try await reply("/a.jpg", soon) == "public, max-age=5, immutable")
            #expect(try await reply("/absent.jpg", soon) == "public, max-age=5, s-maxage=4")
            #expect(try await reply("/a.jpg", soon + [(name: "width", value: "0")]) == "public, max-age=5")
        }
    }

    @Test func `presets and tenants have their own freshness`() async throws {
        var preset = try Preset("card", [("width", "30"), ("format", "png")])
        preset.freshness = try Self.rules([(.crops, "max-age=7"), (.missing, "no-store")])
        var tenant = Tenant("shop")
        tenant.bearerSecrets = Credentials.list(Credentials.bearer)
        tenant.freshness = try Self.rules([(.crops, "max-age=8"), (.errors, "max-age=9")])
        let tenants = try TenantSet([tenant])
        try await running {
            $0.presets = PresetSet([preset])
            $0.access.tenants = tenants
        } _: { service, origin in
            let url = "url=" + percentEncoded(origin)
            func value(_ target: String) async throws -> String? {
                let headers = [("Authorization", "Bearer \(Credentials.bearer)")]
                var values: [String?] = []
                for _ in 0..<2 {
                    values.append(try await service.request("GET", target, headers: headers)["Cache-Control"])
                }
                #expect(values[0] == values[1])
                return values[0]
            }
            #expect(try await value("/frame?\(url)/a.jpg") == "private, max-age=8")
            #expect(try await value("/frame?\(url)/a.jpg&v=1") == "private, max-age=20, immutable")
            #expect(try await value("/frame?\(url)/a.jpg&width=0") == "private, max-age=9")
            #expect(try await value("/preset/card?\(url)/a.jpg") == "private, max-age=7")
            #expect(try await value("/frame?preset=card&\(url)/absent.jpg") == "no-store")
            #expect(try await value("/frame?\(url)/absent.jpg") == "private, max-age=40")
        }
    }
}
