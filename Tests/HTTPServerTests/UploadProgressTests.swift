import Admission
import HTTPServer
import HTTPTypes
import TestHTTP
import TestPacing
import Testing

/// The minimum rate of uploads, and the fair share of one address in the body budget.
@Suite(.limitedConcurrency) struct UploadProgressTests {
    private static let head = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: "

    /// The minimum rate: 1000 bytes in every window of 10 s.
    private static let configuration = ServerConfiguration.with {
        $0.bodyTimeout = .seconds(10)
        $0.minBytesPerSecond = 100
    }

    private func bytes(_ count: Int) -> String { String(repeating: "a", count: count) }

    @Test(arguments: ["Content-Length: 50000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\nC350\r\n"])
    func `an upload that stops before its last byte gets 408 one window later`(_ framing: String) async throws {
        let clock = ManualClock()
        try await withServer(Self.configuration, now: { clock.now }) { server, address in
            let client = try TestClient(address)
            try await client.send("POST / HTTP/1.1\r\nHost: h\r\n" + framing + bytes(49_999))
            #expect(await eventually { server.bodyBytes >= 49_999 })
            #expect(try await clock.advancing { try await client.reply().status } == 408)
            #expect(await eventually { server.bodyBytes == 0 })
        }
    }

    @Test func `a body may take any time at the minimum rate, and a window with one byte less ends it`() async throws {
        let clock = ManualClock()
        try await withServer(Self.configuration, now: { clock.now }) { server, address in
            let client = try TestClient(address)
            try await client.send(Self.head + "20000\r\n\r\n")
            for index in 1...10 {
                try await client.send(bytes(1000))
                #expect(await eventually { server.bodyBytes == 1000 * index })
                clock.advance(by: .seconds(9))
            }
            try await client.send(bytes(999))
            #expect(await eventually { server.bodyBytes == 10_999 })
            #expect(try await clock.advancing { try await client.reply().status } == 408)
        }
    }

    @Test func `a new window starts only when the bytes of the previous window have arrived`() {
        var transfer = Transfer(Pace(bytesPerSecond: 100, window: .seconds(10)), now: .now)
        let first = transfer.deadline
        var begun = transfer.advance(to: 999, now: first)
        #expect(!begun && transfer.deadline == first)
        let later = first + .seconds(3)
        begun = transfer.advance(to: 1000, now: later)
        #expect(begun && transfer.deadline == later + .seconds(10))
        // Bytes beyond a window do not extend the deadline, and the count never decreases.
        begun = transfer.advance(to: 900_000, now: later)
        #expect(begun && transfer.deadline == later + .seconds(10))
        begun = transfer.advance(to: 5, now: later + .seconds(1))
        #expect(!begun)
        #expect(transfer.bytes == 900_000)
    }

    @Test func `one address may use three quarters of the budget, and others can use the rest`() async throws {
        let configuration = ServerConfiguration.with {
            $0.maxBodyBytesInFlight = 1000
            $0.maxBodyBytes = 500
        }
        try await withServer(configuration) { server, address in
            let greedy = try [TestClient(address), TestClient(address)]
            for client in greedy { try await client.send(Self.head + "380\r\n\r\n" + bytes(370)) }
            #expect(await eventually { server.bodyBytes == 740 })
            let third = try TestClient(address)
            try await third.send(Self.head + "11\r\n\r\n" + bytes(11))
            let refusal = try await third.reply()
            #expect(refusal.status == 503)
            #expect(refusal.text == "You have too many uploads in progress; retry later.")
            let neighbour = try TestClient(address, from: "127.0.0.2")
            try await neighbour.send(Self.head + "250\r\n\r\n" + bytes(250))
            #expect(try await neighbour.reply().status == 200)
            for client in greedy { try await client.send(bytes(5)) }
            #expect(await eventually { server.bodyBytes == 750 })
            withExtendedLifetime(greedy) {}
        }
    }

    @Test func `behind a trusted proxy the clients have separate shares of the budget`() async throws {
        let configuration = ServerConfiguration.with {
            $0.maxBodyBytesInFlight = 1000
            $0.maxBodyBytes = 500
        }
        func head(_ client: String, _ length: Int) -> String {
            "POST / HTTP/1.1\r\nHost: h\r\nX-Client: \(client)\r\nContent-Length: \(length)\r\n\r\n"
        }
        try await withServer(configuration, trustsProxies: true) { server, address in
            let greedy = try [TestClient(address), TestClient(address)]
            for client in greedy { try await client.send(head("203.0.113.1", 380) + bytes(370)) }
            #expect(await eventually { server.bodyBytes == 740 })
            let third = try TestClient(address)
            try await third.send(head("203.0.113.1", 11) + bytes(11))
            #expect(try await third.reply().status == 503)
            let neighbour = try TestClient(address)
            try await neighbour.send(head("203.0.113.2", 250) + bytes(250))
            #expect(try await neighbour.reply().status == 200)
            // The next request on the connection may come from another client.
            try await neighbour.send(head("203.0.113.1", 11) + bytes(11))
            #expect(try await neighbour.reply().status == 503)
            // Sends one request after another, because both at once would exceed the share.
            for client in greedy {
                try await client.send(bytes(10))
                #expect(try await client.reply().status == 200)
            }
            #expect(await eventually { server.bodyBytes == 0 })
        }
    }

    @Test func `tenants have shares, regardless of their addresses`() async throws {
        let configuration = ServerConfiguration.with {
            $0.maxBodyBytesInFlight = 1000
            $0.maxBodyBytes = 500
        }
        try await withServer(configuration, owner: { .tenant($0.headers[.userAgent] ?? "") }) { server, address in
            func head(_ tenant: String) -> String {
                "POST / HTTP/1.1\r\nHost: h\r\nUser-Agent: \(tenant)\r\nContent-Length: "
            }
            let greedy = try [TestClient(address), TestClient(address, from: "127.0.0.2")]
            for client in greedy { try await client.send(head("one") + "380\r\n\r\n" + bytes(370)) }
            #expect(await eventually { server.bodyBytes == 740 })
            let third = try TestClient(address, from: "127.0.0.3")
            try await third.send(head("one") + "11\r\n\r\n" + bytes(11))
            #expect(try await third.reply().status == 503)
            let neighbour = try TestClient(address)
            try await neighbour.send(head("two") + "250\r\n\r\n" + bytes(250))
            #expect(try await neighbour.reply().status == 200)
            // Sends one request after another, because both at once would exceed the share.
            for client in greedy {
                try await client.send(bytes(10))
                #expect(try await client.reply().status == 200)
            }
            #expect(await eventually { server.bodyBytes == 0 })
        }
    }

    @Test func `a body whose declared length does not fit is rejected before it is received`() async throws {
        let configuration = ServerConfiguration.with {
            $0.maxBodyBytesInFlight = 1000
            $0.maxBodyBytes = 500
        }
        try await withServer(configuration) { server, address in
            let first = try TestClient(address)
            try await first.send(Self.head + "500\r\n\r\n" + bytes(400))
            #expect(await eventually { server.bodyBytes == 400 })
            let second = try TestClient(address)
            try await second.send(Self.head + "351\r\n\r\n")
            #expect(try await second.reply().status == 503)
            try await first.send(bytes(100))
            #expect(try await first.reply().status == 200)
        }
    }

    @Test func `one address may always have one body, and a Unix socket has no share`() async throws {
        let configuration = ServerConfiguration.with {
            $0.maxBodyBytesInFlight = 1000
            $0.maxBodyBytes = 1000
        }
        for address in [ListenAddress.tcp(host: "127.0.0.1", port: 0), .unix(path: temporarySocketPath())] {
            try await withServer(configuration, on: address) { server, address in
                let client = try TestClient(address)
                try await client.send(Self.head + "1000\r\n\r\n" + bytes(999))
                #expect(await eventually { server.bodyBytes == 999 })
                try await client.send("a")
                #expect(try await client.reply().status == 200)
            }
        }
        var shared = configuration
        shared.maxBodyBytes = 500
        try await withServer(shared, on: .unix(path: temporarySocketPath())) { server, address in
            let clients = try (0..<2).map { _ in try TestClient(address) }
            for client in clients { try await client.send(Self.head + "500\r\n\r\n" + bytes(499)) }
            #expect(await eventually { server.bodyBytes == 998 })
            for client in clients {
                try await client.send("a")
                #expect(try await client.reply().status == 200)
            }
        }
    }
}
