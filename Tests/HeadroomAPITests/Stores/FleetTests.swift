import Caching
import Geometry
import HTTPServer
import HeadroomAPI
import Imaging
import TestHTTP
import TestPacing
import TestImages
import TestPrograms
import Testing

/// Services that share one Redis.
@Suite(.limitedConcurrency, .enabled(if: RedisServer.isInstalled, Comment(rawValue: RedisServer.advice)), .serialized)
struct FleetTests {
    private let image: [UInt8]

    init() throws { image = try Images.singleJPEG.get() }

    private func options(_ path: String, timeout: Duration = RedisStore.lookupTimeout) -> TestService.Options {
        var options = TestService.Options()
        options.caches = CacheConfiguration()
        // The tests share the processors, and this test does not measure time.
        options.caches.redisTimeout = timeout
        options.caches.redis = RedisAddress("unix:\(path)")
        return options
    }

    private func isConnected(_ service: TestService) async -> Bool {
        await eventually {
            // The store connects at its first lookup.
            _ = try? await service.request("GET", "/frame?url=http%3A%2F%2F127.0.0.1%3A9%2F")
            return service.caches.redis?.isConnected == true
        }
    }

    @Test func `two services share fetches, detections and crops through Redis`() async throws {
        let redis = try await RedisServer()
        let (detector, options) = (ScriptedDetector(), options(redis.path, timeout: .seconds(20)))
        let origin = TestOrigin { [image] _ in .file(image) }
        try await origin.running { address in
            let url = "url=" + percentEncoded(address + "/a.jpg")
            try await TestService.running(detector, options) { one in
                try await TestService.running(detector, options) { other in
                    #expect(await isConnected(one))
                    #expect(await isConnected(other))
                    let first = try await one.request("GET", "/frame?width=90&\(url)")
                    #expect(await eventually { one.caches.redis?.writes == 3 })
                    let second = try await other.request("GET", "/frame?width=90&\(url)")
                    #expect(second.body == first.body, "\(other.caches)")
                    #expect(second["Cache-Status"] == "headroom; hit; detail=shared", "\(other.caches)")
                    #expect(try await other.request("GET", "/frame?width=80&\(url)").status == 200)
                    #expect(try await other.request("GET", "/frame?width=90&\(url)")["Cache-Status"] == "headroom; hit")
                    #expect(detector.calls == 1 && origin.requests.count == 1)
                    #expect(other.caches.detections.sharedHits == 1 && other.caches.sources.sharedHits == 1)
                }
            }
        }
        withExtendedLifetime(redis) {}
    }

    @Test func `shared outputs also report missed redactions and a key colour that was not found`() async throws {
        let redis = try await RedisServer()
        let options = options(redis.path, timeout: .seconds(20))
        let gray = try ImageEncoder.encode(
            try TestImage.rgb(PixelSize(width: 96, height: 64)) { _, _ in (90, 90, 90) },
            as: .png
        )
        let origin = TestOrigin { _ in .file(gray) }
        try await origin.running { address in
            let url = "url=" + percentEncoded(address + "/a.png")
            try await TestService.running(ScriptedDetector { _, _ in [] }, options) { one in
                try await TestService.running(ScriptedDetector { _, _ in [] }, options) { other in
                    #expect(await isConnected(one))
                    #expect(await isConnected(other))
                    for (query, redacted, key) in [
                        ("redact=blur", "0", nil), ("chromaKey=auto", nil, "none"),
                        ("chromaKey=auto&redact=fill", "0", "none"),
                        ("chromaKey=00ff00", nil, nil), ("redact=fill&redactFaces=none&redactAreas=0,0,1,1", nil, nil),
                    ] as [(String, String?, String?)] {
                        let target = "/frame?gravity=center&\(query)&\(url)"
                        let writes = one.caches.redis?.writes ?? 0
                        let first = try await one.request("GET", target)
                        #expect(await eventually { one.caches.redis?.writes ?? 0 > writes })
                        let kept = try await one.request("GET", target)
                        let shared = try await other.request("GET", target)
                        #expect(shared["Cache-Status"] == "headroom; hit; detail=shared")
                        for reply in [first, kept, shared] {
                            #expect(reply["Headroom-Redacted"] == redacted && reply["Headroom-Key"] == key, "\(query)")
                        }
                    }
                }
            }
        }
        withExtendedLifetime(redis) {}
    }

    @Test func `losing Redis fails no request`() async throws {
        var redis: RedisServer? = try await RedisServer()
        let options = options(redis?.path ?? "")
        let origin = TestOrigin { [image] _ in .file(image) }
        try await TestService.running(ScriptedDetector(), options) { service in
            try await origin.running { address in
                let url = "url=" + percentEncoded(address + "/a.jpg")
                #expect(await isConnected(service))
                #expect(try await service.request("GET", "/frame?width=1&\(url)").status == 200)
                await redis?.freeze()
                for width in 2..<20 {
                    #expect(try await service.request("GET", "/frame?width=\(width)&\(url)").status == 200)
                }
                redis = nil
                for width in 20..<40 {
                    #expect(try await service.request("GET", "/frame?width=\(width)&\(url)").status == 200)
                }
                #expect(await eventually { service.caches.redis?.isConnected == false })
                for width in 1..<40 {
                    let again = try await service.request("GET", "/frame?width=\(width)&\(url)")
                    #expect(again["Cache-Status"] == "headroom; hit")
                }
            }
        }
    }

    @Test func `a service starts and works without its configured Redis`() async throws {
        let options = options(RedisServer.freePath())
        let origin = TestOrigin { [image] _ in .file(image) }
        try await TestService.running(ScriptedDetector(), options) { service in
            try await origin.running { address in
                let target = "/frame?width=90&url=" + percentEncoded(address + "/a.jpg")
                let first = try await service.request("GET", target)
                #expect(first["Cache-Status"] == "headroom; fwd=miss")
                let second = try await service.request("GET", target)
                #expect(second["Cache-Status"] == "headroom; hit")
            }
        }
    }
}
