import Caching
import Fetching
import HTTPServer
import HTTPTypes
import HeadroomAPI
import Synchronization
import TestHTTP
import TestPacing
import TestImages
import TestPrograms
import Testing

/// A service with tenants.
@Suite(.limitedConcurrency) struct TenantServiceTests {
    private let blank: [UInt8]
    private let image: [UInt8]

    init() throws {
        blank = try Images.blankPNG.get()
        image = try Images.singleJPEG.get()
    }

    private static let secrets = ["shop": Credentials.bearer, "blog": Credentials.foreignKey]

    private func tenant(_ name: String, _ change: (inout Tenant) -> Void = { _ in }) -> Tenant {
        var tenant = Tenant(name)
        tenant.bearerSecrets = Credentials.list(Self.secrets[name] ?? "")
        change(&tenant)
        return tenant
    }

    private func options(
        _ tenants: [Tenant],
        _ clock: MicrosecondClock = MicrosecondClock()
    ) throws -> TestService.Options {
        var options = TestService.Options()
        options.access.tenants = try TenantSet(tenants)
        options.tenantClock = { clock.now }
        return options
    }

    private func token(_ name: String) -> [(String, String)] {
        [("Authorization", "Bearer \(Self.secrets[name] ?? "")")]
    }

    @Test func `requests above the rate get 429 with Retry-After, and metrics and logs contain the tenant`()
        async throws
    {
        let clock = MicrosecondClock()
        let log = LogRecorder()
        var options = try options([tenant("shop") { $0.requestsPerMinute = 2 }, tenant("blog")], clock)
        options.log = log
        try await TestService.running(ScriptedDetector(), options) { service in
            for _ in 0..<2 {
                let reply = try await service.request("POST", "/faces", headers: token("shop"), body: blank)
                #expect(reply.status == 200)
            }
            for (method, target, body) in [
                ("POST", "/faces", blank), ("GET", "/frame?url=http%3A%2F%2F127.0.0.1%3A9%2F", []),
                ("POST", "/stream", [UInt8(0)]),
            ] {
                let reply = try await service.request(method, target, headers: token("shop"), body: body)
                #expect(reply.status == 429 && reply["Retry-After"] == "30", "\(target): \(reply.text)")
                #expect(reply["Cache-Control"] == "no-store")
                #expect(try JSONValue(json: reply.body)["type"] == .string("urn:headroom:problem:rate-limited"))
            }
            #expect(try await service.request("POST", "/faces", headers: token("blog"), body: blank).status == 200)
            #expect(try await service.request("POST", "/faces", body: blank).status == 401)
            clock.advance(seconds: 30)
            #expect(try await service.request("POST", "/faces", headers: token("shop"), body: blank).status == 200)
            #expect(log.lines.contains { $0.contains("tenant=shop") && $0.contains("problem=rate-limited") })
            #expect(log.lines.contains { $0.contains("tenant=blog") && $0.contains("status=200") })
            #expect(service.metric(#"headroom_tenant_requests_total{tenant="shop",outcome="granted"}"#) == 3)
            #expect(service.metric(#"headroom_tenant_requests_total{tenant="blog",outcome="granted"}"#) == 1)
            #expect((service.metric(#"headroom_tenant_cpu_seconds_total{tenant="shop"}"#) ?? 0) > 0)
            #expect(service.metric(#"headroom_http_problems_total{kind="rate-limited"}"#) == 3)
        }
    }

    @Test func `the processor time for decoding a body is charged even if the body is rejected`() async throws {
        let options = try options([tenant("shop")])
        try await TestService.running(ScriptedDetector(), options) { service in
            // The start of a JPEG and 4 MiB of zeros, compressed with brotli.
            let body: [UInt8] = [
                155, 255, 255, 63, 248, 167, 1, 176, 193, 255, 197, 107, 129, 64, 237, 253, 207, 30,
            ]
            let headers = token("shop") + [("Content-Encoding", "br")]
            let reply = try await service.request("POST", "/faces", headers: headers, body: body)
            #expect(reply.status == 413)
            #expect((service.metric(#"headroom_tenant_cpu_seconds_total{tenant="shop"}"#) ?? 0) > 0)
        }
    }

    @Test func `requests get 429 while processor time is above the rate, until the debt is paid`() async throws {
        let clock = MicrosecondClock()
        let limited = tenant("shop") { $0.processorMillisecondsPerMinute = 1 }
        try await TestService.running(ScriptedDetector(), try options([limited], clock)) { service in
            let body = image
            func status() async throws -> Int {
                try await service.request("POST", "/frame", headers: token("shop"), body: body).status
            }
            // Needs a job of more than a millisecond; the first jobs may be shorter.
            let isRefused = try await eventually { try await status() == 429 }
            #expect(isRefused)
            #expect(service.metric(#"headroom_tenant_requests_total{tenant="shop",outcome="requests"}"#) == 0)
            clock.advance(seconds: 4000)
            #expect(try await status() == 200)
        }
    }

    @Test func `a tenant gets only sources from its hosts and within its size, even from caches`() async throws {
        let small = image.count - 1
        let tenants = [
            tenant("shop"),
            tenant("blog") {
                $0.allowedHosts = [HostPattern("127.0.0.1")].compactMap(\.self)
                $0.maxBytes = small
            },
        ]
        var options = try options(tenants)
        options.caches = CacheConfiguration()
        let blank = blank
        let origin = TestOrigin { [image] request in
            switch request.path {
            case "/large.jpg": .file(image)
            case "/small.png": .file(blank)
            default: .init(status: .notFound)
            }
        }
        try await origin.running { address in
            try await TestService.running(ScriptedDetector(), options) { service in
                func status(_ name: String, _ url: String) async throws -> Int {
                    let target = "/frame?width=20&url=\(percentEncoded(url))"
                    return try await service.request("GET", target, headers: token(name)).status
                }
                let elsewhere = address.replacing("127.0.0.1", with: "localhost")
                for url in ["\(address)/large.jpg", "\(elsewhere)/small.png"] {
                    #expect(try await status("shop", url) == 200)
                    #expect(try await status("shop", url) == 200)
                }
                #expect(origin.requests.count == 2)
                // The output for the same URL is cached for the other tenant.
                #expect(try await status("blog", "\(address)/large.jpg") == 422)
                #expect(try await status("blog", "\(elsewhere)/small.png") == 404)
                #expect(try await status("blog", "\(address)/small.png") == 200)
                #expect(origin.requests.count == 3)
                let reply = try await service.request("POST", "/frame", headers: token("blog"), body: image)
                #expect(reply.status == 413, "\(reply.text)")
            }
        }
    }

    @Test func `a redirect to another tenant's host is rejected, whichever tenant fetched it first`() async throws {
        let blank = blank
        let port = Atomic(0)
        let origin = TestOrigin { request in
            guard request.path == "/away" else { return .file(blank) }
            return .init(
                status: .found,
                headers: [.location: "http://localhost:\(port.load(ordering: .relaxed))/b.png"]
            )
        }
        let tenants = [
            tenant("shop"), tenant("blog") { $0.allowedHosts = [HostPattern("127.0.0.1")].compactMap(\.self) },
        ]
        var options = try options(tenants)
        options.caches = CacheConfiguration()
        try await origin.running { address in
            port.store(address.split(separator: ":").last.flatMap { Int($0) } ?? 0, ordering: .relaxed)
            try await TestService.running(ScriptedDetector(), options) { service in
                let target = "/frame?width=20&url=\(percentEncoded("\(address)/away"))"
                // It gets the image neither with its own fetch nor from the cache.
                let first = try await service.request("GET", target, headers: token("blog"))
                #expect(first.status == 404)
                #expect(origin.requests.map(\.path) == ["/away"])
                #expect(try await service.request("GET", target, headers: token("shop")).status == 200)
                #expect(try await service.request("GET", target, headers: token("blog")).status == 404)
            }
        }
    }

    @Test func `a tenant's pixel limit applies to sources and outputs, even cached ones`() async throws {
        let tenants = [tenant("shop"), tenant("blog") { $0.maxPixels = 1000 }]
        var options = try options(tenants)
        options.caches = CacheConfiguration()
        let image = image
        try await TestOrigin.running(["/a.jpg": .file(image)]) { address in
            try await TestService.running(ScriptedDetector(), options) { service in
                let target = "/frame?width=20&url=\(percentEncoded("\(address)/a.jpg"))"
                #expect(try await service.request("GET", target, headers: token("shop")).status == 200)
                let reply = try await service.request("GET", target, headers: token("blog"))
                #expect(reply.status == 422 && reply.text.contains("too-large"), "\(reply.text)")
            }
        }
    }

    @Test func `signatures of tenants and of the service are valid, and tenants sign the links in their markup`()
        async throws
    {
        var shop = Tenant("shop")
        shop.signingKeys = Credentials.list(Credentials.secondKey)
        shop.requestsPerMinute = 2
        var options = try options([shop])
        options.access.signingKeys = Credentials.list(Credentials.firstKey)
        let blank = blank
        try await TestOrigin.running(["/a.png": .file(blank)]) { address in
            try await TestService.running(ScriptedDetector(), options) { service in
                let pairs = [(name: "url", value: "\(address)/a.png")]
                let snippet = pairs + [(name: "format", value: "html"), (name: "width", value: "20")]
                let mine = try await service.request(
                    "GET",
                    Credentials.sign("/frame", snippet, key: Credentials.secondKey)
                )
                #expect(mine.status == 200)
                let wrong = Credentials.sign("/frame", pairs, key: Credentials.foreignKey)
                #expect(try await service.request("GET", wrong).status == 403)
                // A link from the tenant's markup counts against the tenant's rate.
                let link = try #require(mine.text.firstMatch(of: /src="([^"]+)"/)).1.replacing("&amp;", with: "&")
                let path = try #require(link.firstIndex(of: "/")).utf16Offset(in: String(link))
                #expect(try await service.request("GET", String(link.dropFirst(path))).status == 200)
                #expect(
                    try await service.request("GET", Credentials.sign("/frame", pairs, key: Credentials.secondKey))
                        .status == 429
                )
                for _ in 0..<3 {
                    #expect(try await service.request("GET", Credentials.sign("/frame", pairs)).status == 200)
                }
            }
        }
    }

    @Test(.enabled(if: RedisServer.isInstalled, Comment(rawValue: RedisServer.advice)))
    func `two services share the rate of a tenant through Redis`() async throws {
        let redis = try await RedisServer()
        var options = try options([tenant("shop") { $0.requestsPerMinute = 1 }])
        options.caches = CacheConfiguration()
        options.caches.redisTimeout = .seconds(20)
        options.caches.redis = RedisAddress("unix:\(redis.path)")
        try await TestService.running(ScriptedDetector(), options) { one in
            try await TestService.running(ScriptedDetector(), options) { other in
                for service in [one, other] {
                    #expect(await eventually { service.caches.redis?.isConnected == true })
                }
                #expect(try await one.request("POST", "/faces", headers: token("shop"), body: blank).status == 200)
                let reply = try await other.request("POST", "/frame?width=20", headers: token("shop"), body: blank)
                #expect(reply.status == 429, "\(reply.text)")
            }
        }
        withExtendedLifetime(redis) {}
    }
}
