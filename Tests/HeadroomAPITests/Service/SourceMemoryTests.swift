import HeadroomAPI
import Imaging
import TestHTTP
import TestPacing
import Testing
import Workers

/// The memory budget for fetched sources that wait or are in use.
@Suite(.limitedConcurrency) struct SourceMemoryTests {
    /// An image of 400 KB; decoders ignore the bytes after the end of the PNG.
    private let image: [UInt8]

    init() throws { image = try Images.blankPNG.get() + [UInt8](repeating: 0, count: 400_000) }

    private func options(caches: CacheConfiguration) -> TestService.Options {
        var options = TestService.Options()
        options.workers = 1
        options.maxBodyBytes = 512 << 10
        options.maxSourceMemory = 1 << 20
        options.caches = caches
        return options
    }

    @Test func `sources that wait for a worker use the budget, and more sources are rejected until it is free`()
        async throws
    {
        let detector = ScriptedDetector(isGated: true)
        let origin = TestOrigin { [image] _ in .file(image) }
        try await TestService.running(detector, options(caches: .none)) { service in
            try await origin.running { address in
                func target(_ name: String) -> String { "/faces?url=" + percentEncoded("\(address)/\(name).png") }
                var clients: [TestClient] = []
                for name in ["a", "b"] {
                    let client = try service.client()
                    try await client.send("GET", target(name))
                    clients.append(client)
                }
                #expect(await eventually { service.sourceMemory >= 2 * image.count && detector.calls == 1 })
                #expect(service.metric("headroom_source_bytes") == Double(service.sourceMemory))
                let refused = try await service.request("GET", target("c"))
                #expect(refused.status == 503)
                #expect(refused["Retry-After"] == "1")
                #expect(try JSONValue(json: refused.body)["type"] == "urn:headroom:problem:overloaded")
                // The origin was not contacted.
                #expect(origin.requests.count == 2)
                for _ in 0..<4 { detector.release() }
                for client in clients { #expect(try await client.reply().status == 200) }
                #expect(await eventually { service.sourceMemory == 0 })
                #expect(try await service.request("GET", target("c")).status == 200)
            }
        }
    }

    @Test func `jobs with the same source reserve memory for it once, cached or not`() async throws {
        let detector = ScriptedDetector(isGated: true)
        let origin = TestOrigin { [image] _ in .file(image) }
        var caches = CacheConfiguration()
        caches.detectionBytes = 0
        try await TestService.running(detector, options(caches: caches)) { service in
            try await origin.running { address in
                let source = percentEncoded("\(address)/a.png")
                for round in 0..<2 {
                    var clients: [TestClient] = []
                    for width in 1...5 {
                        let client = try service.client()
                        try await client.send("GET", "/frame?width=\(width + 10 * round)&url=\(source)")
                        clients.append(client)
                    }
                    #expect(await eventually { service.load.running + service.load.waiting == 5 })
                    #expect(service.sourceMemory == image.count)
                    for _ in clients { detector.release() }
                    for client in clients { #expect(try await client.reply().status == 200) }
                    #expect(await eventually { service.sourceMemory == 0 })
                }
                #expect(origin.requests.count == 1)
            }
        }
    }
}
