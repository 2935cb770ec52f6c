import HTTPServer
import HTTPTypes
import TestHTTP
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct DepartureTests {
    private static let request = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

    @Test(arguments: [0, 100])
    func `a reset cancels the handler, regardless of the amount of pipelined data`(_ pipelined: Int) async throws {
        let started = Gate()
        let cancelled = Gate()
        try await withServer(.with { $0.maxPipelinedBytes = 64 }) { request in
            started.signal()
            if await untilCancelled() { cancelled.signal() }
            return await echo(request)
        } _: { server, address in
            let client = try TestClient(address)
            try await client.send(String(repeating: Self.request, count: 1 + pipelined))
            await started.wait()
            try await client.reset()
            await cancelled.wait()
            #expect(await eventually { server.connectionCount == 0 })
            #expect(started.count == 1)
        }
    }

    @Test func `closing a Unix socket cancels the handler`() async throws {
        let started = Gate()
        let cancelled = Gate()
        let path = temporarySocketPath()
        try await withServer(on: .unix(path: path)) { request in
            started.signal()
            if await untilCancelled() { cancelled.signal() }
            return await echo(request)
        } _: { server, address in
            var client: TestClient? = try TestClient(address)
            try await client?.send(Self.request)
            await started.wait()
            client = nil
            await cancelled.wait()
            #expect(await eventually { server.connectionCount == 0 })
        }
    }

    @Test func `all requests of a half-closed client get responses`() async throws {
        // The last response has this field if the server has already read the FIN, which is likely but not certain.
        #expect(try await eventually { try await connectionOfLastResponse() == "close" })
    }

    /// The header field `Connection` of the last response to a client that sends two requests and then FIN.
    private func connectionOfLastResponse() async throws -> String? {
        let gate = Gate()
        let configuration = ServerConfiguration.with {
            $0.loopCount = 1
            $0.halfCloseGrace = .seconds(600)
        }
        return try await withServer(configuration) { request in
            if request.path != "/other" { await gate.wait() }
            return await echo(request)
        } _: { _, address in
            let client = try TestClient(address)
            try await client.send("GET /1 HTTP/1.1\r\nHost: h\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\n")
            try await client.finishSending()
            // While another client is served, the server probably reads the FIN.
            let other = try TestClient(address)
            try await other.send("GET /other HTTP/1.1\r\nHost: h\r\n\r\n")
            _ = try await other.reply()
            gate.signal()
            #expect(try await client.reply().text == "GET /1 h ")
            let last = try await client.reply()
            #expect(last.text == "GET /2 h ")
            #expect(try await client.expectEnd() == 0)
            return last["connection"]
        }
    }

    @Test func `all pipelined requests of a half-closed client get responses`() async throws {
        let gate = Gate()
        let configuration = ServerConfiguration.with {
            $0.maxPipelinedBytes = 100
            $0.halfCloseGrace = .seconds(10)
        }
        try await withServer(configuration) { request in
            await gate.wait()
            return await echo(request)
        } _: { _, address in
            let client = try TestClient(address)
            try await client.send((0..<500).map { "GET /\($0) HTTP/1.1\r\nHost: h\r\n\r\n" }.joined())
            // The FIN after unread bytes is reported only once, while reading is paused.
            try await client.finishSending()
            gate.signal()
            for index in 0..<500 { #expect(try await client.reply().text == "GET /\(index) h ") }
            #expect(try await client.expectEnd() == 0)
        }
    }

    @Test func `requests of a half-closed client are cancelled after the grace period`() async throws {
        let cancelled = Gate()
        let clock = ManualClock()
        try await withServer(.with { $0.halfCloseGrace = .seconds(10) }) { request in
            if await untilCancelled() { cancelled.signal() }
            return await echo(request)
        } now: {
            clock.now
        } _: { _, address in
            let client = try TestClient(address)
            try await client.send(Self.request)
            try await client.finishSending()
            try await clock.advancing { await cancelled.wait() }
            #expect(try await client.expectEnd() == 0)
        }
    }

    @Test(arguments: [
        "G", "GET / HTTP/1.1\r\nHost: h\r\n", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhe",
    ])
    func `a request that ends early is rejected`(_ start: String) async throws {
        try await withServer { _, address in
            let client = try TestClient(address)
            try await client.send(start)
            try await client.finishSending()
            #expect(try await client.reply().status == 400)
            #expect(try await client.expectEnd() == 0)
        }
    }

    @Test func `the connection is closed if the client resets it while it receives its response`() async throws {
        try await withServer { _ in
            ServerResponse(status: .ok, body: [UInt8](repeating: 7, count: 20_000_000))
        } _: { server, address in
            for _ in 0..<10 {
                let client = try TestClient(address, receiveBuffer: 4096)
                try await client.send(Self.request)
                try await client.receive(atLeast: 1)
                try await client.reset()
            }
            #expect(await eventually { server.connectionCount == 0 })
        }
    }
}
