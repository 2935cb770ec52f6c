import HTTPServer
import TestHTTP
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct LimitTests {
    private static let configuration = ServerConfiguration.with {
        $0.maxRequestLineBytes = 100
        $0.maxHeaderBytes = 200
        $0.maxHeaderCount = 5
        $0.maxBodyBytes = 1000
    }

    /// The status of the response to one request that is sent at once.
    private func status(
        _ request: String,
        _ configuration: ServerConfiguration = configuration
    ) async throws -> Int {
        try await withServer(configuration) { _, address in
            let client = try TestClient(address)
            try await client.send(request)
            return try await client.reply().status
        }
    }

    // "GET " and " HTTP/1.1" are 13 bytes in addition to the target.
    @Test(arguments: [(86, 200), (87, 200), (88, 414), (10000, 414)])
    func `the limit on the request line is exact`(_ targetBytes: Int, _ expected: Int) async throws {
        let target = "/" + String(repeating: "a", count: targetBytes - 1)
        #expect(try await status("GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n") == expected)
    }

    @Test func `an endless request line is rejected while it arrives`() async throws {
        #expect(try await status("GET /" + String(repeating: "a", count: 200)) == 414)
    }

    // "Host: h", "X: " and two CRLF are 14 bytes in addition to the value.
    @Test(arguments: [(186, 200), (187, 431), (5000, 431)])
    func `the limit on the header section is exact`(_ valueBytes: Int, _ expected: Int) async throws {
        let value = String(repeating: "a", count: valueBytes)
        #expect(try await status("GET / HTTP/1.1\r\nHost: h\r\nX: \(value)\r\n\r\n") == expected)
    }

    @Test func `an endless header line is rejected while it arrives`() async throws {
        #expect(try await status("GET / HTTP/1.1\r\nX: " + String(repeating: "a", count: 300)) == 431)
    }

    @Test(arguments: [(4, 200), (5, 431)])
    func `the limit on the number of fields is exact`(_ count: Int, _ expected: Int) async throws {
        let fields = String(repeating: "A: b\r\n", count: count)
        #expect(try await status("GET / HTTP/1.1\r\nHost: h\r\n\(fields)\r\n") == expected)
    }

    @Test(arguments: [(1000, 200), (1001, 413), (9_000_000_000_000_000_000, 413)])
    func `the limit on a declared body is exact`(_ length: Int, _ expected: Int) async throws {
        let body = String(repeating: "a", count: min(length, 1000))
        #expect(try await status("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: \(length)\r\n\r\n\(body)") == expected)
    }

    @Test(arguments: [(1, 200), (2, 413)])
    func `a chunked body is counted without its framing`(_ tail: Int, _ expected: Int) async throws {
        let chunks = String(repeating: "1\r\na\r\n", count: 999) + "\(tail)\r\n" + String(repeating: "b", count: tail)
        let request = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)\r\n0\r\n\r\n"
        #expect(try await status(request) == expected)
    }

    @Test(arguments: [
        ("1;" + String(repeating: "x", count: 300) + "\r\na\r\n0\r\n\r\n", 400),
        (String(repeating: "1;" + String(repeating: "x", count: 60) + "\r\na\r\n", count: 4) + "0\r\n\r\n", 400),
        ("1;x\r\na\r\n0\r\n\r\n", 200),
        ("0\r\n" + String(repeating: "A: b\r\n", count: 6) + "\r\n", 431),
        ("0\r\nA: " + String(repeating: "b", count: 300) + "\r\n\r\n", 431),
        (String(repeating: "0", count: 100) + "\r\n\r\n", 200),
        (String(repeating: "0", count: 300) + "\r\n\r\n", 400),
    ])
    func `chunk extensions and trailers are limited`(_ body: String, _ expected: Int) async throws {
        #expect(try await status("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n\(body)") == expected)
    }

    @Test func `a client that is still sending reads the rejection and gets no reset`() async throws {
        try await withServer(.with { $0.lingerTimeout = .seconds(600) }) { _, address in
            let client = try TestClient(address)
            try await client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 30000000\r\n\r\n")
            for _ in 0..<30 { try await client.send([UInt8](repeating: 7, count: 1_000_000)) }
            #expect(try await client.reply().status == 413)
            #expect(try await client.expectEnd() == 0)
        }
    }

    @Test func `the limit on all bodies together is exact`() async throws {
        let isRead = Gate()
        // With one loop, all bytes that arrive with a head are read before the bytes of other clients.
        let configuration = ServerConfiguration.with {
            $0.maxBodyBytesInFlight = 1000
            $0.loopCount = 1
        }
        try await withServer(
            configuration,
            headRefusal: { _, _ in
                isRead.signal()
                return nil
            }
        ) { _, address in
            let head = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: "
            let first = try TestClient(address)
            try await first.send(head + "950\r\n\r\n" + String(repeating: "a", count: 900))
            await isRead.wait()
            let second = try TestClient(address)
            try await second.send(head + "200\r\n\r\n" + String(repeating: "b", count: 200))
            let reply = try await second.reply()
            #expect(reply.status == 503)
            #expect(reply["connection"] == "close")
            try await first.send(String(repeating: "a", count: 50))
            #expect(try await first.reply().status == 200)
            let third = try TestClient(address)
            try await third.send(head + "1000\r\n\r\n" + String(repeating: "c", count: 1000))
            #expect(try await third.reply().status == 200)
            withExtendedLifetime(first) {}
        }
    }

    @Test func `above the maximum number of rejections connections wait and get responses later`() async throws {
        let configuration = ServerConfiguration.with {
            $0.maxConnections = 2
            $0.lingerTimeout = .seconds(600)
        }
        let request = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"
        try await withServer(configuration) { server, address in
            var clients = [try TestClient(address), try TestClient(address)]
            for client in clients {
                try await client.send(request)
                #expect(try await client.reply().status == 200)
            }
            for _ in 0..<64 {
                let client = try TestClient(address)
                try await client.send(request)
                #expect(try await client.reply().status == 503)
                clients.append(client)
            }
            let waiting = try (0..<3).map { _ in try TestClient(address) }
            for client in waiting { try await client.send(request) }
            // While one event loop reaches the limit, each other loop can still accept one connection.
            #expect(await eventually { server.connectionCount >= 66 })
            #expect(server.connectionCount < 66 + configuration.loopCount)
            // The optimiser may release clients, and close their sockets, after their last use.
            withExtendedLifetime(clients) {}
            clients.removeAll()
            // A free place is first used for a rejection, and then for a served connection.
            for client in waiting { #expect([200, 503].contains(try await client.reply().status)) }
            withExtendedLifetime(waiting) {}
        }
    }

    @Test func `a connection above the limit gets 503, and the next is served after one closes`() async throws {
        try await withServer(.with { $0.maxConnections = 2 }) { server, address in
            var clients = [try TestClient(address), try TestClient(address)]
            for client in clients {
                try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
                #expect(try await client.reply().status == 200)
            }
            let third = try TestClient(address)
            try await third.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try await third.reply().status == 503)
            try await third.expectEnd()
            // The optimiser may release clients, and close their sockets, after their last use.
            withExtendedLifetime(clients) {}
            clients.removeAll()
            #expect(await eventually { server.connectionCount <= 1 })
            let fourth = try TestClient(address)
            try await fourth.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try await fourth.reply().status == 200)
        }
    }
}
