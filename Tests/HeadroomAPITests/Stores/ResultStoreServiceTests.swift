import Caching
import Glibc
import HeadroomAPI
import Synchronization
import TestHTTP
import TestPacing
import TestPrograms
import Testing

/// Services that keep results in a folder.
@Suite(.limitedConcurrency) struct ResultStoreServiceTests {
    private static let secret = "0123456789abcdefghijklmnopqrstuvwxyz"

    /// A clock that tests set, in seconds since 1970.
    private final class Clock: Sendable {
        private let value = Atomic(time(nil))
        var now: Int { value.load(ordering: .relaxed) }
        func advance(by seconds: Int) { value.add(seconds, ordering: .relaxed) }
    }

    private let folder: TemporaryFolder
    private let image: [UInt8]

    init() throws {
        folder = try TemporaryFolder()
        image = try Images.singleJPEG.get()
    }

    private func options(place: String? = nil, resultBytes: Int = 64 << 20) throws -> TestService.Options {
        var options = TestService.Options()
        options.caches = CacheConfiguration(resultBytes: resultBytes)
        var store = ResultStoreConfiguration(try #require(.init(place ?? folder.path)))
        store.timeout = .seconds(60)
        options.caches.resultStore = store
        options.purgeSecrets = Credentials.list(Self.secret)
        return options
    }

    private func isWritten(_ service: TestService, _ count: Int = 1) async -> Bool {
        await eventually { service.caches.resultStore?.writes == count }
    }

    private func purge(_ service: TestService, _ query: String) async throws -> TestClient.Reply {
        let client = try service.client()
        try await client.send(
            "POST",
            "/purge?\(query)",
            headers: [("Authorization", "Bearer \(Self.secret)")],
            body: []
        )
        return try await client.reply(toHead: false)
    }

    @Test(arguments: [0, 64 << 20])
    func `a result survives a restart, with and without a cache in memory`(resultBytes: Int) async throws {
        let origin = TestOrigin { [image] _ in .file(image) }
        try await origin.running { address in
            let target = "/frame?width=90&format=png&url=" + percentEncoded(address + "/a.jpg")
            let options = try options(resultBytes: resultBytes)
            let first = try await TestService.running(ScriptedDetector(), options) { service in
                let reply = try await service.request("GET", target)
                #expect(reply.status == 200 && reply["Cache-Status"] == "headroom; fwd=miss")
                #expect(await isWritten(service))
                return reply
            }
            let detector = ScriptedDetector()
            try await TestService.running(detector, options) { service in
                let reply = try await service.request("GET", target)
                #expect(reply.body == first.body && reply["ETag"] == first["ETag"])
                #expect(reply["Headroom-Decision"] == first["Headroom-Decision"])
                #expect(reply["Cache-Status"] == "headroom; hit; detail=stored")
                let again = try await service.request("GET", target)
                let status = resultBytes == 0 ? "headroom; hit; detail=stored" : "headroom; hit"
                #expect(again.body == first.body && again["Cache-Status"] == status)
                #expect(service.metric("headroom_result_store_lookups_total{result=\"hit\"}") ?? 0 >= 1)
                #expect(service.metric("headroom_result_store_available") == 1)
            }
            #expect(detector.calls == 0)
        }
    }

    @Test func `a damaged file is never served`() async throws {
        let origin = TestOrigin { [image] _ in .file(image) }
        try await origin.running { address in
            let target = "/frame?width=90&format=png&url=" + percentEncoded(address + "/a.jpg")
            let first = try await TestService.running(ScriptedDetector(), options()) { service in
                let reply = try await service.request("GET", target)
                #expect(await isWritten(service))
                return reply
            }
            let path = try #require(folder.entries.first)
            let bytes = folder.bytes(of: path)
            let start = Array(bytes.dropLast())
            for damaged in [start, start + [bytes[start.count] ^ 1], [], image] {
                try folder.write(damaged, to: path)
                try await TestService.running(ScriptedDetector(), options()) { service in
                    let reply = try await service.request("GET", target)
                    #expect(reply.body == first.body && reply["Cache-Status"] == "headroom; fwd=miss")
                    #expect(service.metric("headroom_result_store_damaged_total") == 1)
                    #expect(await isWritten(service))
                }
                #expect(folder.entries == [path])
            }
        }
    }

    @Test func `a purge of one service, by URL or by tag, hides the result from other services with the same folder`()
        async throws
    {
        let origin = TestOrigin { [image] _ in .file(image) }
        try await origin.running { address in
            let url = "url=" + percentEncoded(address + "/a.jpg")
            let clock = Clock()
            for byTag in [false, true] {
                let target = "/frame?width=\(byTag ? 80 : 90)&format=png&\(url)"
                var options = try options()
                options.caches.now = { clock.now }
                let tag = try await TestService.running(ScriptedDetector(), options) { service in
                    let reply = try await service.request("GET", target)
                    #expect(await isWritten(service))
                    return try #require(reply["Cache-Tag"]?.split(separator: ",").first.map(String.init))
                }
                // A new process, which has not read the source.
                try await TestService.running(ScriptedDetector(), options) { service in
                    let reply = try await purge(service, byTag ? "tag=\(tag)" : url)
                    #expect(reply.status == 200, "\(reply.text)")
                }
                try await TestService.running(ScriptedDetector(), options) { service in
                    let reply = try await service.request("GET", target)
                    #expect(reply["Cache-Status"] == "headroom; fwd=miss")
                }
                // Results that are computed shortly after a purge are not stored, because clocks may differ.
                clock.advance(by: 100)
                try await TestService.running(ScriptedDetector(), options) { service in
                    let reply = try await service.request("GET", target)
                    #expect(reply["Cache-Status"] == "headroom; fwd=miss")
                    #expect(await isWritten(service))
                }
                try await TestService.running(ScriptedDetector(), options) { service in
                    let reply = try await service.request("GET", target)
                    #expect(reply["Cache-Status"] == "headroom; hit; detail=stored")
                }
            }
        }
    }

    @Test func `a store that cannot be used fails no request, and a purge reports it`() async throws {
        let options = try options(place: folder.path + "/none")
        let origin = TestOrigin { [image] _ in .file(image) }
        try await origin.running { address in
            let url = "url=" + percentEncoded(address + "/a.jpg")
            try await TestService.running(ScriptedDetector(), options) { service in
                for width in 1..<20 {
                    let reply = try await service.request("GET", "/frame?width=\(width)&\(url)")
                    #expect(reply.status == 200)
                }
                #expect(await eventually { service.caches.resultStore?.failedWrites ?? 0 >= 1 })
                let reply = try await purge(service, url)
                #expect(reply.status == 503 && reply.text.contains("the result store is unavailable"), "\(reply.text)")
            }
        }
    }
}
