import Glibc
import HTTPServer
import HTTPTypes
import Logging
import TestPacing
import Testing

@Suite(.takingTurns) struct ShutdownTests {
    private static let request = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

    @Test func `requests under way and behind them are answered, the last with close`() async throws {
        let started = Gate()
        let gate = Gate()
        try await withServer { request in
            started.signal()
            await gate.wait()
            return await echo(request)
        } _: { server, address in
            let pipelining = try RawClient(address)
            let uploading = try RawClient(address)
            try await pipelining.send((1...3).map { "GET /\($0) HTTP/1.1\r\nHost: h\r\n\r\n" }.joined())
            try await uploading.send("POST /up HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhe")
            await started.wait()
            server.shutdown()
            server.shutdown()
            gate.signal()
            try await uploading.send("llo")
            for index in 1...3 {
                let reply = try await pipelining.reply()
                #expect(reply.text == "GET /\(index) h ")
                #expect(reply.headers["connection"] == (index == 3 ? "close" : nil))
            }
            #expect(try await pipelining.expectEnd() == 0)
            let upload = try await uploading.reply()
            #expect(upload.text == "POST /up h hello")
            #expect(upload.headers["connection"] == "close")
            #expect(try await uploading.expectEnd() == 0)
        }
    }

    @Test func `idle connections are closed and new ones refused`() async throws {
        try await withServer { server, address in
            let idle = try RawClient(address)
            try await idle.send(Self.request)
            #expect(try await idle.reply().headers["connection"] == nil)
            server.shutdown()
            #expect(try await idle.expectEnd() == 0)
            #expect(await eventually { (try? RawClient(address)) == nil })
        }
    }

    @Test func `a request that was sent before the shutdown is answered`() async throws {
        // Whether it has been accepted, read or parsed by then is the server's business.
        for _ in 0..<50 {
            try await withServer { server, address in
                let first = try RawClient(address)
                try await first.send(Self.request)
                _ = try await first.reply()
                let clients = [try RawClient(address), try RawClient(address), try RawClient(address)]
                for client in clients { try await client.send(Self.request) }
                server.shutdown()
                for client in clients { #expect(try await client.reply().status == 200) }
            }
        }
    }

    @Test func `what takes longer than the drain timeout is cut off`() async throws {
        let started = Gate()
        let cancelled = Gate()
        try await withServer(.with { $0.drainTimeout = .milliseconds(100) }) { request in
            started.signal()
            if await untilCancelled() { cancelled.signal() }
            return await echo(request)
        } _: { server, address in
            let client = try RawClient(address)
            try await client.send(Self.request)
            await started.wait()
            server.shutdown()
            await cancelled.wait()
            _ = try? await client.expectEnd()
        }
    }

    // These use Unix sockets: a TCP port that is free again may be somebody else's a moment later.

    @Test func `a server that never ran, or was shut down before, returns at once`() async throws {
        let server = HTTPServer(handler: ClosureHandler(body: echo), logger: Logger(label: "test"))
        let address = try server.bind(to: .unix(path: temporarySocketPath()))
        server.shutdown()
        await server.run()
        await server.run()
        #expect(throws: RawClient.Failure.self) { try RawClient(address) }
    }

    @Test func `a server that is dropped gives its address back`() async throws {
        func boundAddress() throws -> BoundAddress {
            try HTTPServer(handler: ClosureHandler(body: echo), logger: Logger(label: "test"))
                .bind(to: .unix(path: temporarySocketPath()))
        }
        let address = try boundAddress()
        #expect(throws: RawClient.Failure.self) { try RawClient(address) }
        guard case .unix(let path) = address else { return }
        #expect(access(path, F_OK) != 0)
    }

    @Test func `cancelling the task that runs the server shuts it down`() async throws {
        let server = HTTPServer(handler: ClosureHandler(body: echo), logger: Logger(label: "test"))
        _ = try server.bind(to: .tcp(host: "127.0.0.1", port: 0))
        let run = Task { await server.run() }
        run.cancel()
        await run.value
    }
}
