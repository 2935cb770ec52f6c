import Caching
import Fetching
import HTTPTypes
import HeadroomAPI
import Requests
import Synchronization
import TestHTTP
import TestPacing
import TestPrograms
import Testing

/// Removing one image from the caches of services.
@Suite(.limitedConcurrency) struct PurgeTests {
    private static let secret = "0123456789abcdefghijklmnopqrstuvwxyz"
    private static let bearer = [("Authorization", "Bearer \(secret)")]

    private func options(_ redis: String? = nil) throws -> TestService.Options {
        var options = TestService.Options()
        options.caches = CacheConfiguration()
        options.caches.redisTimeout = .seconds(20)
        options.caches.redis = redis.flatMap { RedisAddress("unix:\($0)") }
        options.purgeSecrets = Credentials.list(Self.secret)
        return options
    }

    /// An origin whose image can be replaced; `/b.jpg` is another image, which cannot.
    private final class ChangingOrigin: Sendable {
        let image: Mutex<[UInt8]?>
        private let other: [UInt8]
        init(_ image: [UInt8]) throws {
            self.image = Mutex(image)
            other = try Images.pairJPEG.get()
        }
        var origin: TestOrigin {
            TestOrigin { request in
                let image: [UInt8]? = request.path == "/b.jpg" ? self.other : self.image.withLock { $0 }
                return image.map { .file($0) } ?? .init(status: .notFound)
            }
        }
    }

    @Test func `a purged image is fetched again, by its URL or by its tag`() async throws {
        let (first, second) = (try Images.singleJPEG.get(), try Images.blankPNG.get())
        for byTag in [false, true] {
            let changing = try ChangingOrigin(first)
            try await TestService.running(ScriptedDetector(), options()) { service in
                try await changing.origin.running { address in
                    let url = percentEncoded(address + "/a.jpg")
                    let other = try await service.request(
                        "GET",
                        "/frame?width=30&url=\(percentEncoded(address + "/b.jpg"))"
                    )
                    let before = try await service.request("GET", "/frame?width=40&format=png&url=\(url)")
                    #expect(before.status == 200)
                    changing.image.withLock { $0 = second }
                    let cached = try await service.request("GET", "/frame?width=40&format=png&url=\(url)")
                    #expect(cached.body == before.body && cached["Cache-Status"] == "headroom; hit")
                    let tag = try #require(before["Cache-Tag"]?.split(separator: ",").first)
                    let query = byTag ? "tag=\(tag)" : "url=\(url)"
                    let purge = try await service.request("POST", "/purge?\(query)", headers: Self.bearer)
                    #expect(purge.status == 200, "\(purge.text)")
                    let report = try JSONValue(json: purge.body)
                    #expect(report["tag"].string == String(tag) && report["memory"].integer ?? 0 >= 2)
                    let after = try await service.request("GET", "/frame?width=40&format=png&url=\(url)")
                    #expect(after.status == 200 && after.body != before.body)
                    // Other images stay cached.
                    let kept = try await service.request(
                        "GET",
                        "/frame?width=30&url=\(percentEncoded(address + "/b.jpg"))"
                    )
                    #expect(kept.body == other.body && kept["Cache-Status"] == "headroom; hit")
                    // A takedown: the origin no longer has the image.
                    changing.image.withLock { $0 = nil }
                    _ = try await service.request("POST", "/purge?\(query)", headers: Self.bearer)
                    #expect(try await service.request("GET", "/frame?width=40&format=png&url=\(url)").status == 404)
                }
            }
        }
    }

    @Test func `equal bytes at two URLs share their results, and a purge of one URL removes them`() async throws {
        let changing = try ChangingOrigin(try Images.singleJPEG.get())
        try await TestService.running(ScriptedDetector(), options()) { service in
            try await changing.origin.running { address in
                let (url, copy) = (percentEncoded(address + "/a.jpg"), percentEncoded(address + "/copy.jpg"))
                let first = try await service.request("GET", "/frame?width=40&format=png&url=\(url)")
                #expect(first["Cache-Status"] == "headroom; fwd=miss")
                let shared = try await service.request("GET", "/frame?width=40&format=png&url=\(copy)")
                #expect(shared.body == first.body && shared["Cache-Status"] == "headroom; hit")
                let purge = try await service.request("POST", "/purge?url=\(url)", headers: Self.bearer)
                #expect(purge.status == 200, "\(purge.text)")
                let again = try await service.request("GET", "/frame?width=40&format=png&url=\(copy)")
                #expect(again.body == first.body && again["Cache-Status"] == "headroom; fwd=miss")
            }
        }
    }

    @Test func `a purge needs its own secret, POST, and one source`() async throws {
        var options = try options()
        options.access = Credentials.bearing()
        try await TestService.running(ScriptedDetector(), options) { service in
            let url = "url=http%3A%2F%2Fexample.com%2Fa.jpg"
            let rows: [(String, String, [(String, String)], Int)] = [
                ("POST", "/purge?\(url)", Self.bearer, 200), ("POST", "/purge?\(url)", [], 401),
                ("POST", "/purge?\(url)", [("Authorization", "Bearer \(Credentials.bearer)")], 401),
                ("POST", "/purge?\(url)", [("Authorization", "Basic x")], 401),
                ("GET", "/purge?\(url)", Self.bearer, 405),
                ("POST", "/purge", Self.bearer, 400), ("POST", "/purge?tag=host-example.com", Self.bearer, 400),
                ("POST", "/purge?tag=source-0123456789abcdef", Self.bearer, 200),
                ("POST", "/purge?tag=source-0123456789ABCDEF", Self.bearer, 400),
                ("POST", "/purge?tag=source-*", Self.bearer, 400), ("POST", "/purge?\(url)&\(url)", Self.bearer, 400),
                ("POST", "/purge?url=nothing", Self.bearer, 400), ("POST", "/purge?width=5", Self.bearer, 400),
                // It does not authorise images.
                ("GET", "/frame?\(url)", Self.bearer, 401),
            ]
            for (method, target, headers, status) in rows {
                let reply = try await service.request(method, target, headers: headers)
                #expect(reply.status == status, "\(method) \(target): \(reply.text)")
                #expect(!reply.text.contains(Self.secret))
            }
        }
        try await TestService.running(ScriptedDetector()) { service in
            let target = "/purge?tag=source-0123456789abcdef"
            let reply = try await service.request("POST", target, headers: Self.bearer)
            #expect(reply.status == 404)
        }
    }

    @Test(.enabled(if: RedisServer.isInstalled, Comment(rawValue: RedisServer.advice)))
    func `all services that share a Redis server remove the image`() async throws {
        let redis = try await RedisServer()
        let changing = try ChangingOrigin(try Images.singleJPEG.get())
        let options = try options(redis.path)
        try await changing.origin.running { address in
            let url = "url=" + percentEncoded(address + "/a.jpg")
            try await TestService.running(ScriptedDetector(), options) { one in
                try await TestService.running(ScriptedDetector(), options) { other in
                    for service in [one, other] {
                        #expect(
                            await eventually {
                                _ = try? await service.request("GET", "/frame?url=http%3A%2F%2F127.0.0.1%3A9%2F")
                                return service.caches.redis?.isConnected == true
                            }
                        )
                    }
                    let target = "/frame?width=90&format=png&\(url)"
                    let before = try await one.request("GET", target)
                    #expect(await eventually { one.caches.redis?.writes ?? 0 >= 3 })
                    #expect(try await other.request("GET", target)["Cache-Status"] == "headroom; hit; detail=shared")
                    changing.image.withLock { $0 = try? Images.blankPNG.get() }
                    let purge = try await one.request("POST", "/purge?\(url)", headers: Self.bearer)
                    #expect(purge.status == 200, "\(purge.text)")
                    #expect(try JSONValue(json: purge.body)["redis"].integer ?? 0 >= 2, "\(purge.text)")
                    let after = try await one.request("GET", target)
                    #expect(after.status == 200 && after.body != before.body)
                    #expect(
                        await eventually {
                            let reply = try? await other.request("GET", target)
                            return reply?.body == after.body
                        }
                    )
                }
            }
        }
        withExtendedLifetime(redis) {}
    }
}
