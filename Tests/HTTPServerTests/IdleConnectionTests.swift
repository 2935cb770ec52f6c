import HTTPServer
import TestHTTP
import TestPacing
import Testing

/// Connections that wait for a request when the connection limits are reached.
@Suite(.limitedConcurrency) struct IdleConnectionTests {
    private static let request = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

    private let clock = ManualClock()

    private static func configuration(_ change: (inout ServerConfiguration) -> Void) -> ServerConfiguration {
        .with {
            $0.idleGrace = .seconds(1)
            change(&$0)
        }
    }

    private func withServer(
        _ configuration: ServerConfiguration,
        handler: @escaping @Sendable (ServerRequest) async -> ServerResponse = echo,
        _ body: (HTTPServer, BoundAddress) async throws -> Void
    ) async throws {
        try await HTTPServerTests.withServer(configuration, handler: handler, now: { [clock] in clock.now }, body)
    }

    private static func status(_ client: TestClient) async throws -> Int {
        try await client.send(request)
        return try await client.reply().status
    }

    @Test(arguments: [1, 2])
    func `at the limit the connection that has waited longest makes room for a new one`(loops: Int) async throws {
        let configuration = Self.configuration {
            $0.maxConnections = 4
            $0.loopCount = loops
        }
        try await withServer(configuration) { server, address in
            var clients: [TestClient] = []
            for _ in 0..<4 {
                let client = try TestClient(address)
                #expect(try await Self.status(client) == 200)
                clients.append(client)
                clock.advance(by: .seconds(2))
            }
            // With two loops the connections alternate, and each loop closes its own connections first.
            let next = try TestClient(address)
            #expect(try await Self.status(next) == 200)
            #expect(server.evictedConnections == 1)
            var answered = 0
            for client in clients.dropFirst(loops) { answered += try await Self.status(client) == 200 ? 1 : 0 }
            #expect(answered == 4 - loops)
            if loops == 1 { #expect(try await clients[0].expectEnd() == 0) }
            withExtendedLifetime(next) {}
        }
    }

    @Test func `clients that connect and send nothing do not block other clients`() async throws {
        try await withServer(Self.configuration { $0.maxConnections = 8 }) { server, address in
            let silent = try (0..<8).map { _ in try TestClient(address) }
            #expect(await eventually { server.connectionCount == 8 })
            clock.advance(by: .seconds(1))
            for _ in 0..<8 {
                let client = try TestClient(address)
                #expect(try await Self.status(client) == 200)
            }
            withExtendedLifetime(silent) {}
        }
    }

    @Test func `connections with a request in progress or a partial request are not closed`() async throws {
        let (started, mayAnswer) = (Gate(), Gate())
        let configuration = Self.configuration {
            $0.maxConnections = 2
            $0.headerTimeout = .seconds(3600)
        }
        try await withServer(configuration) { request in
            started.signal()
            await mayAnswer.wait()
            return await echo(request)
        } _: { server, address in
            let (working, receiving) = (try TestClient(address), try TestClient(address))
            try await working.send(Self.request)
            try await receiving.send("GET / HT")
            await started.wait()
            #expect(await eventually { server.connectionCount == 2 })
            clock.advance(by: .seconds(60))
            let third = try TestClient(address)
            #expect(try await Self.status(third) == 503)
            #expect(server.evictedConnections == 0)
            mayAnswer.signal()
            #expect(try await working.reply().status == 200)
            try await receiving.send("TP/1.1\r\nHost: h\r\n\r\n")
            #expect(try await receiving.reply().status == 200)
        }
    }

    @Test func `a connection that was just used is not closed`() async throws {
        try await withServer(Self.configuration { $0.maxConnections = 1 }) { server, address in
            let first = try TestClient(address)
            #expect(try await Self.status(first) == 200)
            clock.advance(by: .milliseconds(999))
            #expect(try await Self.status(try TestClient(address)) == 503)
            #expect(try await Self.status(first) == 200)
            #expect(server.evictedConnections == 0)
        }
    }

    @Test func `an address above its own limit loses its own connections and no others`() async throws {
        let configuration = Self.configuration {
            $0.maxConnections = 100
            $0.maxConnectionsPerAddress = 2
        }
        try await withServer(configuration) { server, address in
            let neighbour = try TestClient(address, from: "127.0.0.2")
            #expect(try await Self.status(neighbour) == 200)
            var clients: [TestClient] = []
            for number in 0..<6 {
                clock.advance(by: .seconds(2))
                let client = try TestClient(address)
                #expect(try await Self.status(client) == 200, "\(number)")
                clients.append(client)
            }
            #expect(server.evictedConnections == 4)
            #expect(try await Self.status(neighbour) == 200)
            withExtendedLifetime(clients) {}
        }
    }
}
