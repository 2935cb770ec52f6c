import Caching
import FaceDetection
import Geometry
import HTTPServer
import HTTPTypes
import HeadroomAPI
import SystemLimits
import TestHTTP
import TestPacing
import Testing

/// Simultaneous requests for the same image.
@Suite(.limitedConcurrency, .serialized) struct StampedeTests {
    private let image: [UInt8]

    init() throws {
        image = try Images.singleJPEG.get()
        // This process has both ends of a thousand connections.
        _ = OpenFileLimit.raise()
    }

    private var options: TestService.Options {
        var options = TestService.Options()
        options.caches = CacheConfiguration()
        return options
    }

    private func clients(
        _ count: Int,
        of service: TestService,
        _ target: (Int) -> String
    ) async throws -> [TestClient] {
        var clients: [TestClient] = []
        for number in 0..<count {
            let client = try service.client()
            try await client.send("GET", target(number))
            clients.append(client)
        }
        return clients
    }

    @Test func `a thousand simultaneous requests need one fetch, one job and one detection`() async throws {
        let detector = ScriptedDetector(isGated: true)
        let origin = TestOrigin { [image] _ in .file(image) }
        try await TestService.running(detector, options) { service in
            try await origin.running { address in
                let target = "/frame?width=90&url=" + percentEncoded(address + "/a.jpg")
                let clients = try await clients(1000, of: service) { _ in target }
                #expect(await eventually { service.caches.results.joined == 999 })
                detector.release()
                var bodies: Set<[UInt8]> = []
                var states: [String?: Int] = [:]
                for client in clients {
                    let reply = try await client.reply()
                    #expect(reply.status == 200)
                    bodies.insert(reply.body)
                    states[reply["Cache-Status"], default: 0] += 1
                }
                #expect(bodies.count == 1)
                #expect(states == ["headroom; fwd=miss": 1, "headroom; fwd=miss; collapsed": 999])
                #expect(origin.requests.count == 1)
                #expect(detector.calls == 1)
                #expect(service.caches.results.stores == 1 && service.caches.detections.stores == 1)
            }
        }
    }

    @Test func `if the first client disconnects, the others get their image without repeated work`()
        async throws
    {
        let detector = ScriptedDetector(isGated: true)
        let origin = TestOrigin { [image] _ in .file(image) }
        var options = options
        let log = LogRecorder()
        options.log = log
        try await TestService.running(detector, options) { service in
            try await origin.running { address in
                let target = "/frame?width=90&url=" + percentEncoded(address + "/a.jpg")
                let first = try await clients(1, of: service) { _ in target }[0]
                #expect(await eventually { detector.calls == 1 })
                let others = try await clients(9, of: service) { _ in target }
                #expect(await eventually { service.caches.results.joined == 9 })
                try await first.reset()
                #expect(await eventually { log.lines.contains { $0.contains("the client disconnected") } })
                detector.release()
                for client in others {
                    let reply = try await client.reply()
                    #expect(reply.status == 200)
                }
                #expect(origin.requests.count == 1)
                #expect(detector.calls == 1)
            }
        }
    }

    @Test func `simultaneous crops of a new image share one fetch and one detection`() async throws {
        let detector = ScriptedDetector(isGated: true)
        let origin = TestOrigin { [image] _ in .file(image) }
        try await TestService.running(detector, options) { service in
            try await origin.running { address in
                let url = percentEncoded(address + "/a.jpg")
                let clients = try await clients(5, of: service) { "/frame?width=\(50 + $0)&url=\(url)" }
                #expect(await eventually { service.caches.detections.joined == 4 })
                detector.release()
                for client in clients {
                    let reply = try await client.reply()
                    #expect(reply.status == 200)
                }
                #expect(origin.requests.count == 1)
                #expect(detector.calls == 1)
            }
        }
    }

    @Test func `equal simultaneous uploads share one detection`() async throws {
        let detector = ScriptedDetector(isGated: true)
        try await TestService.running(detector, options) { [image] service in
            var clients: [TestClient] = []
            for _ in 0..<5 {
                let client = try service.client()
                try await client.send("POST", "/faces", body: image)
                clients.append(client)
            }
            #expect(await eventually { service.caches.detections.joined == 4 })
            detector.release()
            for client in clients {
                let reply = try await client.reply()
                #expect(reply.status == 200)
            }
            #expect(detector.calls == 1)
        }
    }

    @Test func `a failure is not cached, and the next request starts again`() async throws {
        let origin = TestOrigin { _ in TestOrigin.Response(status: .internalServerError) }
        try await TestService.running(ScriptedDetector(), options) { [image] service in
            try await origin.running { address in
                let target = "/frame?width=90&url=" + percentEncoded(address + "/a.jpg")
                let failure = try await service.request("GET", target)
                #expect(failure.status == 502)
                origin.change { _ in .file(image) }
                #expect(try await service.request("GET", target).status == 200)
                #expect(origin.requests.count == 2)
            }
        }
    }
}
