import HTTPServer
import HTTPTypes
import Synchronization
import TestHTTP
import TestPacing
import Testing

/// Timeouts with a clock that the tests advance; the server compares the clock with its deadlines on every tick.
@Suite(.limitedConcurrency) struct TimeoutTests {
    private static let limit = Duration.seconds(10)
    /// A timeout that exceeds every advance of the clock in the tests.
    private static let forever = Duration.seconds(1_000_000)
    private static let request = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

    private let clock = ManualClock()

    /// Runs a server with ``clock`` while `body` runs with a client.
    private func withClient(
        _ change: (inout ServerConfiguration) -> Void,
        _ body: (TestClient) async throws -> Void
    ) async throws {
        try await withServer(.with(change), now: { [clock] in clock.now }) { _, address in
            try await body(TestClient(address))
        }
    }

    @Test func `a connection that sends nothing is closed without a response`() async throws {
        try await withClient({ $0.headerTimeout = Self.limit }) { client in
            let received = try await clock.advancing { try await client.expectEnd() }
            #expect(received == 0)
        }
    }

    @Test(arguments: ["G", "\r\n", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: h\r\n"])
    func `a slow header gets 408`(_ start: String) async throws {
        try await withClient({ $0.headerTimeout = Self.limit }) { client in
            try await client.send(start)
            #expect(try await clock.advancing { try await client.reply().status } == 408)
            #expect(try await client.expectEnd() == 0)
        }
    }

    @Test(arguments: ["Content-Length: 5\r\n\r\nhe", "Transfer-Encoding: chunked\r\n\r\n5\r\nhe"])
    func `a slow body gets 408`(_ rest: String) async throws {
        try await withClient({ $0.bodyTimeout = Self.limit }) { client in
            try await client.send("POST / HTTP/1.1\r\nHost: h\r\n" + rest)
            #expect(try await clock.advancing { try await client.reply().status } == 408)
            #expect(try await client.expectEnd() == 0)
        }
    }

    @Test(arguments: ["GET / HTTP/1.1\r\nX: ", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\n"])
    func `a header or a body that is sent byte by byte gets 408`(_ start: String) async throws {
        try await withClient({
            $0.headerTimeout = Self.limit
            $0.bodyTimeout = Self.limit
            $0.lingerTimeout = Self.forever
        }) { client in
            try await client.send(start)
            try await clock.advancing {
                // No single byte exceeds the timeout, but all bytes together do.
                for _ in 0..<30 {
                    try await client.send("a")
                    await clock.pass(.seconds(1))
                }
                #expect(try await client.reply().status == 408)
            }
        }
    }

    @Test(arguments: ["GET / HTTP/1.1\r\nX: ", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 99999\r\n\r\n"])
    func `a client that continues to send byte by byte is disconnected`(_ start: String) async throws {
        try await withClient({
            $0.headerTimeout = Self.limit
            $0.bodyTimeout = Self.limit
            $0.lingerTimeout = Self.limit
        }) { client in
            try await client.send(start)
            try await clock.advancing {
                // Sends until sending fails, or until many times the limit.
                var sent = 0
                while sent < 1000, (try? await client.send("a")) != nil {
                    sent += 1
                    await clock.pass(.seconds(1))
                }
                #expect(sent < 1000)
            }
        }
    }

    @Test func `the header of a later request has the same time limit`() async throws {
        try await withClient({
            $0.headerTimeout = Self.limit
            $0.idleTimeout = Self.forever
        }) { client in
            try await client.send(Self.request)
            #expect(try await client.reply().status == 200)
            try await client.send("GET / HTTP/1.1\r\n")
            #expect(try await clock.advancing { try await client.reply().status } == 408)
        }
    }

    @Test func `an idle connection is closed`() async throws {
        try await withClient({ $0.idleTimeout = Self.limit }) { client in
            try await client.send(Self.request)
            #expect(try await client.reply().status == 200)
            #expect(try await clock.advancing { try await client.expectEnd() } == 0)
        }
    }

    @Test(arguments: [
        ("", "GET / HTTP/1.1\r\nHost: h\r\n\r\n"), ("GET / HTTP/1.1\r\n", "Host: h\r\n\r\n"),
        ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhe", "llo"),
    ])
    func `bytes that have arrived when the timeout expires are read first`(start: String, rest: String) async throws {
        let arrival = LateArrival()
        let configuration = ServerConfiguration.with {
            $0.loopCount = 1
            $0.headerTimeout = Self.limit
            $0.bodyTimeout = Self.limit
            $0.idleTimeout = Self.limit
        }
        try await withServer(
            configuration,
            now: { [clock] in
                // The loop reads the clock before it compares the deadlines, and reads no socket between the two steps.
                if let client = arrival.take() {
                    try? client.sendAtOnce(rest)
                    clock.advance(by: Self.limit)
                }
                return clock.now
            }
        ) { _, address in
            let client = try TestClient(address)
            try await client.send(Self.request)
            #expect(try await client.reply().status == 200)
            if !start.isEmpty {
                try await client.send(start)
                // When another connection has its response, the loop has read these bytes.
                let other = try TestClient(address)
                try await other.send(Self.request)
                #expect(try await other.reply().status == 200)
            }
            arrival.set(client)
            #expect(try await client.reply().status == 200)
        }
    }

    /// A client that sends bytes when the server next reads its clock.
    private final class LateArrival: Sendable {
        private let client = Mutex<TestClient?>(nil)

        func set(_ client: TestClient) { self.client.withLock { $0 = client } }

        func take() -> TestClient? {
            client.withLock { client in
                defer { client = nil }
                return client
            }
        }
    }

    @Test func `a handler may take longer than any timeout`() async throws {
        let (started, mayAnswer) = (Gate(), Gate())
        let configuration = ServerConfiguration.with {
            $0.loopCount = 1
            $0.headerTimeout = Self.limit
            $0.bodyTimeout = Self.limit
            $0.idleTimeout = Self.limit
            $0.writeTimeout = Self.limit
            $0.halfCloseGrace = Self.limit
        }
        try await withServer(configuration) { request in
            started.signal()
            await mayAnswer.wait()
            return await echo(request)
        } now: { [clock] in
            clock.now
        } _: { _, address in
            let client = try TestClient(address)
            try await client.send(Self.request)
            await started.wait()
            // When this connection is closed, the loop has checked the deadlines of all its connections.
            let silent = try TestClient(address)
            #expect(try await clock.advancing { try await silent.expectEnd() } == 0)
            mayAnswer.signal()
            #expect(try await client.reply().status == 200)
        }
    }
}
