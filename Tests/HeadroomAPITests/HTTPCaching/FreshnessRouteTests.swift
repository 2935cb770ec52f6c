import Addresses
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
        for (kind, text) in values {
            let freshness = try #require(Freshness(text))
            rules[kind] = freshness
        }
        return rules
    }

    /// Rules with a different time for each kind of response.
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
            let soon = [(name: "expires", value: "1000005")]
            for (path, pairs, expected) in [
                ("/a.jpg", [], "public, max-age=20, immutable"), ("/a.jpg", soon, "public, max-age=5, immutable"),
                ("/absent.jpg", soon, "public, max-age=5, s-maxage=4"),
                ("/a.jpg", soon + [(name: "width", value: "0")], "public, max-age=5"),
            ] as [(String, [(name: String, value: String)], String)] {
                let found = try await reply(path, pairs)
                #expect(found == expected, "\(path) \(pairs)")
            }
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
            for (target, expected) in [
                ("/frame?\(url)/a.jpg", "private, max-age=8"),
                ("/frame?\(url)/a.jpg&v=1", "private, max-age=20, immutable"),
                ("/frame?\(url)/a.jpg&width=0", "private, max-age=9"),
                ("/preset/card?\(url)/a.jpg", "private, max-age=7"),
                ("/frame?preset=card&\(url)/absent.jpg", "no-store"),
                ("/frame?\(url)/absent.jpg", "private, max-age=40"),
            ] {
                let found = try await value(target)
                #expect(found == expected, "\(target)")
            }
        }
    }

    static let limits: [(query: String, status: Int, expected: String)] = [
        ("/a.jpg&maxAge=7", 200, "public, max-age=7, s-maxage=7"),
        ("/a.jpg&maxAge=0", 200, "public, max-age=0, s-maxage=0"),
        ("/a.jpg&maxAge=500", 200, "public, max-age=10, s-maxage=500"),
        ("/a.jpg&maxAge=99999", 200, "public, max-age=10, s-maxage=1000"),
        ("/a.jpg&v=1&maxAge=7", 200, "public, max-age=7, immutable"),
        ("/absent.jpg&maxAge=7", 404, "public, max-age=7, s-maxage=4"), ("/text&maxAge=7", 415, "public, max-age=7"),
    ]

    @Test(arguments: limits)
    func `maxAge shortens the freshness and never extends it`(query: String, status: Int, expected: String) async throws
    {
        try await running { _ in
        } _: { service, origin in
            for _ in 0..<2 {
                let reply = try await service.request("GET", "/frame?url=\(percentEncoded(origin))\(query)")
                #expect(reply.status == status && reply["Cache-Control"] == expected, "\(reply.text)")
            }
        }
    }

    @Test(arguments: ["", "x", "-1", "1.5", "2147483648", "7&maxAge=7"])
    func `an invalid maxAge is an error`(value: String) async throws {
        try await running { _ in
        } _: { service, origin in
            let target = "/frame?url=\(percentEncoded(origin))/a.jpg&maxAge=\(value)"
            let reply = try await service.request("GET", target)
            #expect(reply.status == 400 && reply.text.contains("maxAge"), "\(reply.text)")
        }
    }

    @Test func `maxAge shortens stale times, and the origin's directives`() async throws {
        var options = TestService.Options()
        options.caching.rules = try Self.rules([(.crops, "max-age=90, stale-while-revalidate=80, stale-if-error=5")])
        options.caching.followsOrigin = true
        var (timed, plain, secret) = (
            TestOrigin.Response.file(image), TestOrigin.Response.file(image), TestOrigin.Response.file(image)
        )
        timed.headers[.cacheControl] = "max-age=600, stale-if-error=600"
        plain.headers[.cacheControl] = "public"
        secret.headers[.cacheControl] = "no-store"
        let responses = ["/own": .file(image), "/timed": timed, "/plain": plain, "/secret": secret]
        try await TestService.running(ScriptedDetector(), options) { service in
            try await TestOrigin.running(responses) { origin in
                for (path, expected) in [
                    ("/own", "public, max-age=60, stale-while-revalidate=60, stale-if-error=5"),
                    ("/timed", "max-age=60, stale-if-error=60"), ("/plain", "public, max-age=60"),
                    ("/secret", "no-store"),
                ] {
                    let target = "/frame?url=\(percentEncoded(origin + path))&maxAge=60"
                    let reply = try await service.request("GET", target)
                    #expect(reply["Cache-Control"] == expected, "\(path)")
                }
            }
        }
    }

    @Test func `a signature covers maxAge`() async throws {
        try await running {
            $0.access = Credentials.signing()
        } _: { service, origin in
            let pairs = [(name: "url", value: origin + "/a.jpg"), (name: "maxAge", value: "7")]
            let signed = Credentials.sign("/frame", pairs)
            let reply = try await service.request("GET", signed)
            #expect(reply.status == 200 && reply["Cache-Control"] == "public, max-age=7, immutable")
            let longer = signed.replacing("maxAge=7", with: "maxAge=8")
            #expect(try await service.request("GET", longer).status == 403)
        }
    }

    @Test func `URLs of other services limit the freshness`() async throws {
        try await running {
            $0.urlFormats.names = [.thumbor, .weserv, .imgproxy, .imgix]
            $0.caching.rules = try Self.rules([(.crops, "max-age=200000, stale-if-error=200000")])
            $0.access.now = { 1_000_000 }
        } _: { service, origin in
            let (source, encoded) = (origin + "/a.jpg", percentEncoded(origin + "/a.jpg"))
            for (target, expected) in [
                ("/thumbor/unsafe/filters:max_age(9)/\(source)", "public, max-age=9, stale-if-error=9"),
                ("/thumbor/unsafe/filters:max_age(300000)/\(source)", "public, max-age=200000, stale-if-error=200000"),
                ("/weserv/?url=\(encoded)&maxage=1d", "public, max-age=86400, stale-if-error=86400"),
                ("/imgproxy/_/exp:1000009/plain/\(source)", "public, max-age=9"),
                ("/imgix/\(encoded)?expires=1000009", "public, max-age=9"),
            ] {
                let reply = try await service.request("GET", target)
                #expect(reply.status == 200 && reply["Cache-Control"] == expected, "\(target) \(reply.text)")
                #expect(reply["Headroom-Ignored"] == nil)
            }
        }
    }
}
