import HTTPServer
import HTTPTypes
import TestPacing
import Testing

@Suite(.takingTurns) struct TimeoutTests {
    private static let short = Duration.milliseconds(150)

    @Test func `a connection that sends nothing is just closed`() async throws {
        try await withServer(.with { $0.headerTimeout = Self.short }) { _, address in
            let client = try RawClient(address)
            #expect(try await client.expectEnd() == 0)
        }
    }

    @Test(arguments: ["G", "\r\n", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: h\r\n"])
    func `a slow header gets 408`(_ start: String) async throws {
        try await withServer(.with { $0.headerTimeout = Self.short }) { _, address in
            let client = try RawClient(address)
            try await client.send(start)
            #expect(try await client.reply().status == 408)
            #expect(try await client.expectEnd() == 0)
        }
    }

    @Test func `a header that trickles in gets 408 all the same`() async throws {
        let configuration = HTTPServer.Configuration.with {
            $0.headerTimeout = Self.short
            $0.lingerTimeout = .seconds(600)
        }
        try await withServer(configuration) { _, address in
            let client = try RawClient(address)
            for byte in "GET / HTTP/1.1\r\nHost: h\r\nX: ".utf8 {
                try await client.send([byte])
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(try await client.reply().status == 408)
        }
    }

    @Test(arguments: ["Content-Length: 5\r\n\r\nhe", "Transfer-Encoding: chunked\r\n\r\n5\r\nhe"])
    func `a slow body gets 408`(_ rest: String) async throws {
        try await withServer(.with { $0.bodyTimeout = Self.short }) { _, address in
            let client = try RawClient(address)
            try await client.send("POST / HTTP/1.1\r\nHost: h\r\n" + rest)
            #expect(try await client.reply().status == 408)
            #expect(try await client.expectEnd() == 0)
        }
    }

    @Test func `a body that trickles in gets 408 all the same`() async throws {
        let configuration = HTTPServer.Configuration.with {
            $0.bodyTimeout = Self.short
            $0.lingerTimeout = .seconds(600)
        }
        try await withServer(configuration) { _, address in
            let client = try RawClient(address)
            try await client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\n")
            for _ in 0..<30 {
                try await client.send("a")
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(try await client.reply().status == 408)
        }
    }

    @Test(arguments: ["GET / HTTP/1.1\r\nX: ", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 99999\r\n\r\n"])
    func `whoever goes on byte by byte is cut off while doing so`(_ start: String) async throws {
        let configuration = HTTPServer.Configuration.with {
            $0.headerTimeout = Self.short
            $0.bodyTimeout = Self.short
            $0.lingerTimeout = Self.short
        }
        try await withServer(configuration) { _, address in
            let client = try RawClient(address)
            try await client.send(start)
            // Until it cannot be sent any more, or for many times what is allowed.
            var sent = 0
            while sent < 1000, (try? await client.send("a")) != nil {
                sent += 1
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(sent < 1000)
        }
    }

    @Test func `the header of a later request has its time too`() async throws {
        let configuration = HTTPServer.Configuration.with {
            $0.headerTimeout = .seconds(1)
            $0.idleTimeout = .seconds(600)
        }
        try await withServer(configuration) { _, address in
            let client = try RawClient(address)
            try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try await client.reply().status == 200)
            try await client.send("GET / HTTP/1.1\r\n")
            #expect(try await client.reply().status == 408)
        }
    }

    @Test func `a body that keeps up the lowest rate may take longer`() async throws {
        let configuration = HTTPServer.Configuration.with {
            $0.bodyTimeout = .milliseconds(100)
            $0.minBytesPerSecond = 1
        }
        try await withServer(configuration) { _, address in
            let client = try RawClient(address)
            try await client.send(
                "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\n" + String(repeating: "a", count: 99)
            )
            try await Task.sleep(for: .milliseconds(400))
            try await client.send("a")
            #expect(try await client.reply().status == 200)
        }
    }

    @Test func `an idle connection is closed`() async throws {
        try await withServer(.with { $0.idleTimeout = Self.short }) { _, address in
            let client = try RawClient(address)
            try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try await client.reply().status == 200)
            #expect(try await client.expectEnd() == 0)
        }
    }

    @Test func `a client that does not read its answer is cut off`() async throws {
        let configuration = HTTPServer.Configuration.with {
            $0.writeTimeout = Self.short
            $0.minBytesPerSecond = 1_000_000_000
        }
        try await withServer(configuration) { _ in
            ServerResponse(status: .ok, body: [UInt8](repeating: 7, count: 30_000_000))
        } _: { server, address in
            let client = try RawClient(address, receiveBuffer: 4096)
            #expect(await eventually { server.connectionCount == 1 })
            try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(await eventually { server.connectionCount == 0 })
            _ = try? await client.expectEnd()
        }
    }

    @Test func `a handler may take longer than any timeout`() async throws {
        let configuration = HTTPServer.Configuration.with {
            $0.headerTimeout = .milliseconds(300)
            $0.bodyTimeout = .milliseconds(300)
            $0.idleTimeout = .milliseconds(300)
            $0.writeTimeout = .milliseconds(300)
            $0.halfCloseGrace = .milliseconds(300)
        }
        try await withServer(configuration) { request in
            try? await Task.sleep(for: .seconds(1))
            return await echo(request)
        } _: { _, address in
            let client = try RawClient(address)
            try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try await client.reply().status == 200)
        }
    }
}
