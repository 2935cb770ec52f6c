import Caching
import Fetching
import Glibc
import HTTPTypes
import HeadroomAPI
import Synchronization
import TestHTTP
import TestPacing
import Testing

/// Services that keep results in a bucket.
@Suite(.limitedConcurrency) struct BucketStoreServiceTests {
    private static let secret = "0123456789abcdefghijklmnopqrstuvwxyz"

    /// A clock that tests set, in seconds since 1970.
    private final class Clock: Sendable {
        private let value = Atomic(time(nil))
        var now: Int { value.load(ordering: .relaxed) }
        func advance(by seconds: Int) { value.add(seconds, ordering: .relaxed) }
    }

    private let clock = Clock()
    private let image: [UInt8]

    init() throws { image = try Images.singleJPEG.get() }

    private func store(at address: String) throws -> ResultStoreConfiguration {
        let credentials = try #require(S3Credentials(accessKeyID: "AKID", secretAccessKey: "secret"))
        var store = ResultStoreConfiguration(try #require(.init("s3://crops/headroom/")))
        store.service = S3Configuration(
            endpoint: try WebURL(address),
            buckets: try #require(S3BucketList("crops")),
            credentials: credentials
        )
        store.timeout = .seconds(60)
        return store
    }

    private func options(_ address: String) throws -> TestService.Options {
        var options = TestService.Options()
        options.caches = CacheConfiguration()
        options.caches.now = { [clock] in clock.now }
        options.caches.resultStore = try store(at: address)
        options.purgeSecrets = Credentials.list(Self.secret)
        return options
    }

    private func isWritten(_ service: TestService) async -> Bool {
        await eventually { service.caches.resultStore?.writes == 1 }
    }

    /// Runs an origin of images and a bucket.
    private func running(
        _ buckets: TestBuckets,
        _ body: @Sendable (_ target: String, _ bucket: String) async throws -> Void
    ) async throws {
        let origin = TestOrigin { [image] _ in .file(image) }
        try await origin.running { address in
            let target = "/frame?width=90&format=png&url=" + percentEncoded(address + "/a.jpg")
            try await buckets.origin().running { bucket in try await body(target, bucket) }
        }
    }

    @Test func `a result in a bucket survives a restart, and a damaged object is never served`() async throws {
        let buckets = TestBuckets()
        try await running(buckets) { target, bucket in
            let first = try await TestService.running(ScriptedDetector(), options(bucket)) { service in
                let reply = try await service.request("GET", target)
                #expect(reply.status == 200 && reply["Cache-Status"] == "headroom; fwd=miss")
                #expect(await isWritten(service))
                return reply
            }
            let key = try #require(buckets.objects.keys.first)
            #expect(key.hasPrefix("crops/headroom/results-1/") && buckets.objects.count == 1)
            try await TestService.running(ScriptedDetector(), options(bucket)) { service in
                let reply = try await service.request("GET", target)
                #expect(reply.body == first.body && reply["Cache-Status"] == "headroom; hit; detail=stored")
                #expect(service.metric("headroom_result_store_bytes") == nil)
            }
            let bytes = try #require(buckets.objects[key])
            for damaged in [Array(bytes.dropLast()), Array(bytes.dropLast(100)), [], image] {
                buckets.objects[key] = damaged
                try await TestService.running(ScriptedDetector(), options(bucket)) { service in
                    let reply = try await service.request("GET", target)
                    #expect(reply.body == first.body && reply["Cache-Status"] == "headroom; fwd=miss")
                    #expect(service.caches.resultStore?.damaged == 1)
                    #expect(await isWritten(service))
                }
            }
        }
    }

    @Test func `a purge of one service hides the result from other services with the same bucket`() async throws {
        let buckets = TestBuckets()
        try await running(buckets) { target, bucket in
            let tag = try await TestService.running(ScriptedDetector(), options(bucket)) { service in
                let reply = try await service.request("GET", target)
                #expect(await isWritten(service))
                return try #require(reply["Cache-Tag"]?.split(separator: ",").first.map(String.init))
            }
            try await TestService.running(ScriptedDetector(), options(bucket)) { service in
                let client = try service.client()
                let fields = [("Authorization", "Bearer \(Self.secret)")]
                try await client.send("POST", "/purge?tag=\(tag)", headers: fields, body: [])
                #expect(try await client.reply(toHead: false).status == 200)
            }
            #expect(buckets.objects.keys.contains { $0.hasPrefix("crops/headroom/purges-1/") && $0.hasSuffix(tag) })
            clock.advance(by: 100)
            for status in ["headroom; fwd=miss", "headroom; hit; detail=stored"] {
                try await TestService.running(ScriptedDetector(), options(bucket)) { service in
                    let reply = try await service.request("GET", target)
                    #expect(reply["Cache-Status"] == status)
                    if status.hasSuffix("miss") { #expect(await isWritten(service)) }
                }
            }
        }
    }

    @Test func `a failing bucket fails no request, and is soon skipped`() async throws {
        let buckets = TestBuckets { _ in TestBuckets.error("InternalError", .internalServerError) }
        try await running(buckets) { target, bucket in
            try await TestService.running(ScriptedDetector(), options(bucket)) { service in
                for number in 0..<20 {
                    let other = target.replacing("width=90", with: "width=\(number + 20)")
                    let reply = try await service.request("GET", other)
                    #expect(reply.status == 200)
                }
                let figures = service.caches.resultStore
                // The store is tested again after a pause, if the requests took so long.
                let (failed, skipped) = (figures?.failed ?? 0, figures?.skipped ?? 0)
                #expect(failed >= 5 && failed + skipped == 20 && figures?.isAvailable == false)
            }
        }
    }

    @Test func `the check of a bucket names the missing permission`() async throws {
        let buckets = TestBuckets()
        try await buckets.origin().running { address in
            let store = try store(at: address)
            let fetching = FetchConfiguration(userAgent: "Headroom/test")
            let now: @Sendable () -> Int = { [clock] in clock.now }
            let noProblem = store.problemOfBucket(fetching, now: now)
            #expect(noProblem == nil)
            buckets.fail { request in
                request.method == "PUT" ? TestBuckets.error("AccessDenied", .forbidden) : nil
            }
            let problem = try #require(store.problemOfBucket(fetching, now: now))
            #expect(problem.contains("AccessDenied: expected the permission s3:PutObject"), "\(problem)")
        }
    }
}
