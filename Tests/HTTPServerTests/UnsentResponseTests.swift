import Admission
import HTTPServer
import HTTPTypes
import Synchronization
import TestHTTP
import TestPacing
import Testing

/// Responses that clients do not read.
@Suite(.limitedConcurrency) struct UnsentResponseTests {
    private static let request = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"
    private static let size = 20_000_000

    private static func addresses() -> [ListenAddress] {
        [.tcp(host: "127.0.0.1", port: 0), .unix(path: temporarySocketPath())]
    }

    /// A separate body of 20 MB for each request.
    @Sendable private static func ownBody(_ request: ServerRequest) async -> ServerResponse {
        ServerResponse(status: .ok, body: [UInt8](repeating: 7, count: size))
    }

    @Test(arguments: addresses())
    func `a client that does not read its response is disconnected after a window`(_ listen: ListenAddress) async throws
    {
        let clock = ManualClock()
        let configuration = ServerConfiguration.with { $0.writeTimeout = .seconds(30) }
        try await withServer(configuration, on: listen, handler: Self.ownBody, now: { clock.now }) { server, address in
            let client = try TestClient(address, receiveBuffer: 4096)
            try await client.send(Self.request)
            #expect(await eventually { server.unsentBytes >= Self.size })
            try await clock.advancing { #expect(await eventually { server.connectionCount == 0 }) }
            #expect(server.unsentBytes == 0)
            _ = try? await client.expectEnd()
        }
    }

    @Test(arguments: addresses())
    func `a client that reads slowly but steadily gets its whole response`(_ listen: ListenAddress) async throws {
        let clock = ManualClock()
        // A window is 300,000 bytes in 30 s; each step is a million bytes or 29 s.
        let configuration = ServerConfiguration.with {
            $0.writeTimeout = .seconds(30)
            $0.minBytesPerSecond = 10_000
        }
        try await withServer(configuration, on: listen, handler: Self.ownBody, now: { clock.now }) { server, address in
            let client = try TestClient(address, receiveBuffer: 200_000)
            try await client.send(Self.request)
            #expect(await eventually { server.unsentBytes >= Self.size })
            for part in 1...15 {
                try await client.receive(atLeast: part * 1_000_000)
                // Waits until the server has recorded the progress.
                #expect(await eventually { server.firstUnsentEnd.map { $0 > clock.now + .seconds(29) } ?? true })
                clock.advance(by: .seconds(29))
            }
            let reply = try await client.reply()
            #expect(reply.status == 200 && reply.body.count == Self.size)
            #expect(await eventually { server.unsentBytes == 0 })
        }
    }

    @Test func `above the budget the clients that read most slowly are disconnected`() async throws {
        let clock = ManualClock()
        let configuration = ServerConfiguration.with {
            $0.maxUnsentBytes = 2 * Self.size + 10_000
            // No second window starts: the kernel buffers of the clients hold less than one window.
            $0.minBytesPerSecond = 1_000_000
            $0.lingerTimeout = .seconds(600)
        }
        try await withServer(configuration, handler: Self.ownBody, now: { clock.now }) { server, address in
            var idle: [TestClient] = []
            for number in 1...2 {
                let client = try TestClient(address, receiveBuffer: 200_000)
                try await client.send(Self.request)
                #expect(await eventually { server.unsentBytes >= number * Self.size })
                clock.advance(by: .seconds(1))
                idle.append(client)
            }
            let third = try TestClient(address, receiveBuffer: 200_000)
            try await third.send(Self.request)
            #expect(await eventually { server.connectionCount == 2 })
            #expect(try await third.reply().body.count == Self.size)
            // The first client has the oldest window.
            _ = try? await idle[0].expectEnd()
            #expect(try await idle[1].reply().body.count == Self.size)
        }
    }

    @Test func `a response that many clients read slowly counts once`() async throws {
        let body = [UInt8](repeating: 7, count: Self.size)
        let configuration = ServerConfiguration.with { $0.maxUnsentBytes = Self.size + 100_000 }
        try await withServer(configuration) { _ in
            ServerResponse(status: .ok, body: body)
        } _: { server, address in
            let clients = try (0..<10).map { _ in try TestClient(address, receiveBuffer: 200_000) }
            for client in clients { try await client.send(Self.request) }
            for client in clients { #expect(try await client.reply().body.count == Self.size) }
            #expect(await eventually { server.unsentBytes == 0 })
        }
    }

    @Test func `a response that exceeds the budget gets 422, and HEAD still gets its headers`() async throws {
        let configuration = ServerConfiguration.with { $0.maxUnsentBytes = Self.size - 1 }
        try await withServer(configuration, handler: Self.ownBody) { _, address in
            let client = try TestClient(address)
            try await client.send(Self.request)
            let refusal = try await client.reply()
            #expect(refusal.status == 422)
            #expect(refusal.text == "The response is larger than \(Self.size - 1) bytes.")
            try await client.send("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try await client.reply(toHead: true)["content-length"] == "\(Self.size)")
        }
    }

    @Test func `the budget disconnects the slowest first and counts shared memory once`() throws {
        final class Key: Sendable {}
        let cut = Mutex<[String]>([])
        let budget = UnsentBudget(limit: 250)
        let keys = ["a": Key(), "b": Key(), "c": Key(), "d": Key()]
        let now = ContinuousClock.now
        let shared = [UInt8](repeating: 1, count: 100)
        func add(_ name: String, _ segments: [[UInt8]], _ seconds: Int) throws {
            let key = ObjectIdentifier(try #require(keys[name]))
            budget.add(key, segments: segments, deadline: now + .seconds(seconds)) {
                cut.withLock { $0.append(name) }
            }
        }
        try add("a", [[UInt8](repeating: 2, count: 20), shared], 1)
        try add("b", [[UInt8](repeating: 3, count: 20), shared], 2)
        #expect(budget.held == 140)
        try add("c", [[UInt8](repeating: 4, count: 100)], 3)
        #expect(budget.held == 240)
        budget.renew(ObjectIdentifier(try #require(keys["a"])), deadline: now + .seconds(9))
        // Without b the total is 280; without b and c it is 180.
        try add("d", [[UInt8](repeating: 5, count: 60)], 4)
        #expect(cut.withLock { $0 } == ["b", "c"])
        #expect(budget.held == 180)
        budget.remove(ObjectIdentifier(try #require(keys["b"])))
        budget.remove(ObjectIdentifier(try #require(keys["a"])))
        #expect(budget.held == 60)
        budget.remove(ObjectIdentifier(try #require(keys["d"])))
        #expect(budget.held == 0)
    }

    @Test func `responses of a client above its share are aborted before the responses of others`() throws {
        final class Key: Sendable {}
        let cut = Mutex<[String]>([])
        let budget = UnsentBudget(limit: 400)
        let keys = ["a": Key(), "b": Key(), "c": Key(), "d": Key(), "e": Key(), "f": Key()]
        let now = ContinuousClock.now
        func add(_ name: String, _ count: Int, _ seconds: Int, _ client: Client?) throws {
            let key = ObjectIdentifier(try #require(keys[name]))
            let segments = [[UInt8](repeating: UInt8(seconds), count: count)]
            budget.add(key, segments: segments, for: client, deadline: now + .seconds(seconds)) {
                cut.withLock { $0.append(name) }
            }
        }
        let (many, few) = (Client.tenant("many"), Client.network(1))
        // The slowest response of all.
        try add("a", 40, 1, few)
        for (index, name) in ["b", "c", "d"].enumerated() { try add(name, 120, index + 2, many) }
        // If no other client needs memory, a client may use more than three quarters.
        #expect(cut.withLock { $0 }.isEmpty && budget.held == 400)
        try add("e", 50, 5, few)
        #expect(cut.withLock { $0 } == ["b"])
        // Now no client exceeds its share, and the slowest response of all is aborted.
        try add("f", 100, 6, nil)
        #expect(cut.withLock { $0 } == ["b", "a"])
        #expect(budget.held == 390)
        for key in keys.values { budget.remove(ObjectIdentifier(key)) }
        #expect(budget.held == 0)
    }
}
