import Geometry
import HTTPTypes
import HeadroomAPI
import Imaging
import TestHTTP
import TestPacing
import TestImages
import Testing

@Suite(.limitedConcurrency) struct DamagedSourceTests {
    private let whole = Result {
        try ImageEncoder.encode(
            try TestImage.noise(PixelSize(width: 160, height: 160), seed: 3),
            as: .jpeg,
            quality: 95
        )
    }

    private func damaged() throws -> [UInt8] {
        let bytes = try whole.get()
        return Array(bytes.prefix(bytes.count * 8 / 10))
    }

    @Test(arguments: ["/frame?width=80", "/frame?gravity=center&format=png", "/faces?format=debug"])
    func `the response for a damaged image is marked as degraded`(target: String) async throws {
        let damaged = try damaged()
        try await TestService.running { service in
            let reply = try await service.request("POST", target, body: damaged)
            #expect(reply.status == 200 && reply["Headroom-Degraded"] == "damaged-source")
            #expect(reply["Cache-Control"] == "public, max-age=60" && reply["ETag"] == nil)
            let good = try await service.request("POST", target, body: whole.get())
            #expect(good.status == 200 && good["Headroom-Degraded"] == nil)
        }
    }

    @Test func `the plan reports a damaged image`() async throws {
        let damaged = try damaged()
        try await TestService.running { service in
            for target in ["/frame?format=json", "/faces"] {
                let plan = try await service.document(target, posting: damaged)
                #expect(plan["source"]["damaged"] == .bool(true))
                let other = try await service.document(target, posting: whole.get())
                #expect(other["source"]["damaged"] != .bool(true))
            }
        }
    }

    @Test func `a crop above the damaged part is not degraded`() async throws {
        let damaged = try damaged()
        try await TestService.running { service in
            let reply = try await service.request("POST", "/frame?gravity=top&aspect=4:1", body: damaged)
            #expect(reply.status == 200 && reply["Headroom-Degraded"] == nil)
        }
    }

    @Test func `an image with more than half lost is rejected, and every damaged image if so configured`() async throws
    {
        let (damaged, bytes) = (try damaged(), try whole.get())
        try await TestService.running { service in
            let reply = try await service.request("POST", "/frame?width=80", body: Array(bytes.prefix(bytes.count / 3)))
            #expect(reply.status == 422)
        }
        var options = TestService.Options()
        options.servesDamaged = false
        try await TestService.running(ScriptedDetector(), options) { service in
            let refused = try await service.request("POST", "/frame?width=80", body: damaged)
            let served = try await service.request("POST", "/frame?width=80", body: bytes)
            #expect(refused.status == 422 && served.status == 200)
        }
    }

    @Test func `outputs from a damaged source are not cached, and the source is fetched again without validators`()
        async throws
    {
        let damaged = try damaged()
        let clock = ManualWallClock()
        var options = TestService.Options()
        options.caches = CacheConfiguration()
        options.caches.now = { clock.now }
        let origin = TestOrigin { _ in
            TestOrigin.Response(status: .ok, headers: [.cacheControl: "max-age=3600", .eTag: "\"a\""], body: damaged)
        }
        try await TestService.running(ScriptedDetector(), options) { service in
            try await origin.running { address in
                let target = "/frame?width=80&url=" + percentEncoded(address + "/a.jpg")
                for _ in 0..<2 {
                    let reply = try await service.request("GET", target)
                    #expect(reply["Headroom-Degraded"] == "damaged-source" && reply["ETag"] == nil)
                    #expect(reply["Cache-Status"]?.contains("hit") != true)
                }
                #expect(origin.requests.count == 1)
                clock.advance(by: 61)
                _ = try await service.request("GET", target)
                #expect(origin.requests.count == 2)
                #expect(origin.requests.last?.headers[.ifNoneMatch] == nil)
            }
        }
    }
}
