import HTTPServer
import HeadroomAPI
import TestHTTP
import TestPacing
import Testing
import Video

/// The fair shares of live streams for one client, and for one key or secret.
@Suite(.limitedConcurrency) struct StreamLimiterTests {
    private typealias Holder = StreamLimiter.Holder

    private func limiter(_ all: Int, address: Int, key: Int) -> StreamLimiter {
        var configuration = StreamConfiguration()
        configuration.maxStreams = all
        configuration.maxStreamsPerAddress = address
        configuration.maxStreamsPerKey = key
        return StreamLimiter(configuration)
    }

    @Test func `a client is limited to its share, and others can use the rest`() {
        let limiter = limiter(4, address: 3, key: 4)
        let (one, other) = (Holder(network: .v4(1)), Holder(network: .v4(2)))
        for _ in 0..<3 { #expect(limiter.take(one) == nil) }
        #expect(limiter.take(one) == .address(3))
        #expect(limiter.take(other) == nil)
        #expect(limiter.take(Holder(network: .v4(3))) == .all(4))
        limiter.release(one)
        #expect(limiter.take(one) == nil)
        #expect(limiter.taken == 4)
    }

    @Test func `a key has one share for all addresses together`() {
        let limiter = limiter(4, address: 4, key: 2)
        for address in 1...2 {
            #expect(limiter.take(Holder(network: .v4(UInt32(address)), credential: "key 1")) == nil)
        }
        #expect(limiter.take(Holder(network: .v4(3), credential: "key 1")) == .credential(2))
        #expect(limiter.take(Holder(network: .v4(3), credential: "secret 1")) == nil)
        limiter.release(Holder(network: .v4(1), credential: "key 1"))
        #expect(limiter.take(Holder(network: .v4(3), credential: "key 1")) == nil)
    }

    @Test func `clients of a Unix socket have no limit per client`() {
        let limiter = limiter(4, address: 1, key: 1)
        for _ in 0..<4 { #expect(limiter.take(Holder(network: nil)) == nil) }
        #expect(limiter.take(Holder(network: nil)) == .all(4))
        for _ in 0..<4 { limiter.release(Holder(network: nil)) }
        #expect(limiter.taken == 0)
    }

    @Test(arguments: [(1, 1), (2, 1), (3, 2), (4, 3), (8, 6), (64, 48)])
    func `a fair share is three quarters, but at least one`(streams: Int, share: Int) {
        #expect(StreamConfiguration.share(of: streams) == share)
    }

    private static let head = "POST /stream?format=json HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n"

    /// Starts an upload to `/stream` and returns the status of its response.
    private func begin(
        _ service: TestService,
        from address: String = "127.0.0.1",
        secret: String? = nil
    ) async throws -> (TestClient, TestClient.Reply) {
        let client = try TestClient(to: .tcp(host: "127.0.0.1", port: service.port), from: address)
        let frame = try Images.blankJPEG.get()
        let field = secret.map { "Authorization: Bearer \($0)\r\n" } ?? ""
        try await client.send("\(Self.head)\(field)\r\n\(String(frame.count, radix: 16))\r\n")
        try await client.send(frame + Array("\r\n".utf8))
        return (client, try await client.reply())
    }

    @Test func `one client cannot occupy all streams`() async throws {
        var options = TestService.Options()
        options.streams.maxStreams = 4
        try await TestService.running(ScriptedDetector(), options) { service in
            var clients: [TestClient] = []
            for _ in 0..<3 {
                let (client, reply) = try await begin(service)
                #expect(reply.status == 200, "\(reply.text)")
                clients.append(client)
            }
            let (refused, reply) = try await begin(service)
            #expect(reply.status == 503 && reply["retry-after"] == "5" && reply.text.contains("This client"))
            let (other, others) = try await begin(service, from: "127.0.0.2")
            #expect(others.status == 200)
            #expect(service.metric("headroom_streams") == 4)
            try await clients.removeLast().reset()
            #expect(await eventually { service.metric("headroom_streams") == 3 })
            #expect(try await begin(service).1.status == 200)
            withExtendedLifetime((clients, refused, other)) {}
        }
    }

    @Test func `one of several secrets cannot occupy all streams, but a single secret can`() async throws {
        for secrets in ["\(Credentials.bearer),\(Credentials.foreignKey)", Credentials.bearer] {
            var options = TestService.Options()
            options.streams.maxStreams = 2
            options.streams.maxStreamsPerAddress = 2
            options.streams.maxStreamsPerKey = 1
            options.access = AccessPolicy(bearerSecrets: Credentials.list(secrets))
            try await TestService.running(ScriptedDetector(), options) { service in
                let (first, reply) = try await begin(service, secret: Credentials.bearer)
                #expect(reply.status == 200, "\(reply.text)")
                let (second, further) = try await begin(service, from: "127.0.0.2", secret: Credentials.bearer)
                #expect(further.status == (secrets == Credentials.bearer ? 200 : 503), "\(further.text)")
                withExtendedLifetime((first, second)) {}
            }
        }
    }
}
