import Glibc
import HTTPServer
import HTTPTypes
import Logging
import TestHTTP
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct ShutdownTests {
    private static let request = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

    @Test func `requests in progress and pipelined requests get responses, the last one with Connection: close`()
        async throws
    {
        let started = Gate()
        let gate = Gate()
        try await withServer { request in
            started.signal()
            await gate.wait()
            return await echo(request)
        } _: { server, address in
            let pipelining = try TestClient(address)
            let uploading = try TestClient(address)
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
                #expect(reply["connection"] == (index == 3 ? "close" : nil))
            }
            #expect(try await pipelining.expectEnd() == 0)
            let upload = try await uploading.reply()
            #expect(upload.text == "POST /up h hello")
            #expect(upload["connection"] == "close")
            #expect(try await uploading.expectEnd() == 0)
        }
    }

    @Test func `idle connections are closed, and new connections are refused`() async throws {
        try await withServer { server, address in
            let idle = try TestClient(address)
            try await idle.send(Self.request)
            #expect(try await idle.reply()["connection"] == nil)
            server.shutdown()
            #expect(try await idle.expectEnd() == 0)
            #expect(await eventually { (try? TestClient(address)) == nil })
        }
    }

    @Test func `a request that was sent before the shutdown gets a response`() async throws {
        // At the shutdown the server may have accepted the connection, or read or parsed the request already.
        for _ in 0..<50 {
            try await withServer { server, address in
                let first = try TestClient(address)
                try await first.send(Self.request)
                _ = try await first.reply()
                let clients = [try TestClient(address), try TestClient(address), try TestClient(address)]
                for client in clients { try await client.send(Self.request) }
                server.shutdown()
                for client in clients { #expect(try await client.reply().status == 200) }
            }
        }
    }

    @Test(arguments: [ListenAddress.tcp(host: "127.0.0.1", port: 0), .unix(path: temporarySocketPath())])
    func `a connection from before the shutdown may send its first request`(
        _ listen: ListenAddress
    ) async throws {
        try await withServer(.with { $0.firstRequestGrace = .seconds(300) }, on: listen) { server, address in
            let new = try TestClient(address)
            let used = try TestClient(address)
            try await used.send(Self.request)
            #expect(try await used.reply().status == 200)
            server.shutdown()
            // This connection ends when the server starts to close idle connections.
            #expect(try await used.expectEnd() == 0)
            try await new.send(Self.request)
            let reply = try await new.reply()
            #expect(reply.status == 200)
            #expect(reply["connection"] == "close")
        }
    }

    @Test func `a connection without a request ends soon after the shutdown`() async throws {
        let clock = ManualClock()
        try await withServer(now: { clock.now }) { server, address in
            let new = try TestClient(address)
            let used = try TestClient(address)
            try await used.send(Self.request)
            #expect(try await used.reply().status == 200)
            server.shutdown()
            #expect(try await used.expectEnd() == 0)
            // The loop of this connection may be notified of the shutdown later than the other loop.
            #expect(try await clock.advancing { try await new.expectEnd() } == 0)
        }
    }

    @Test(arguments: [ListenAddress.tcp(host: "127.0.0.1", port: 0), .unix(path: temporarySocketPath())])
    func `a client that connects during the shutdown gets a response or is not connected`(
        _ listen: ListenAddress
    ) async throws {
        for _ in 0..<10 {
            let configuration = ServerConfiguration.with {
                $0.firstRequestGrace = .seconds(300)
                // Without this grace time, a handshake that completes between the last accept and close would be reset.
                $0.handshakeGrace = .milliseconds(250)
                // On a busy machine, a client may send seconds after its connection was refused.
                $0.lingerTimeout = .seconds(300)
                $0.maxConnections = 8
            }
            try await withServer(configuration, on: listen) { server, address in
                let isReached = Gate()
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<4 {
                        group.addTask {
                            while let client = try? TestClient(address) {
                                do {
                                    try await client.send(Self.request)
                                    #expect([200, 503].contains(try await client.reply().status))
                                } catch {
                                    Issue.record(error)
                                }
                                isReached.signal()
                            }
                        }
                    }
                    await isReached.wait(for: 20)
                    server.shutdown()
                }
            }
        }
    }

    @Test func `connections to an inherited socket wait for the next server`() async throws {
        let path = temporarySocketPath()
        defer { unlink(path) }
        let inherited = try listener(onPath: path)
        defer { close(inherited) }
        let bound = BoundAddress.unix(path: path)
        for _ in 0..<2 {
            // The inherited socket queues the connection between two servers.
            let early = try TestClient(bound)
            try await early.send(Self.request)
            let server = echoServer()
            #expect(try server.bind(to: .inherited(descriptor: dup(inherited))) == bound)
            async let run: Void = server.run()
            #expect(try await early.reply().status == 200)
            server.shutdown()
            await run
        }
    }

    private func listener(onPath path: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let status = withUnsafeBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) {
                bind(descriptor, $0.baseAddress, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(status == 0 && listen(descriptor, 16) == 0)
        return descriptor
    }

    @Test func `a request that takes longer than the drain timeout is aborted`() async throws {
        let started = Gate()
        let cancelled = Gate()
        let clock = ManualClock()
        try await withServer(.with { $0.drainTimeout = .seconds(10) }) { request in
            started.signal()
            if await untilCancelled() { cancelled.signal() }
            return await echo(request)
        } now: {
            clock.now
        } _: { server, address in
            let client = try TestClient(address)
            try await client.send(Self.request)
            await started.wait()
            server.shutdown()
            try await clock.advancing { await cancelled.wait() }
            _ = try? await client.expectEnd()
        }
    }

    @Test func `the drain timeout starts at the shutdown, not after the listening sockets are closed`() async throws {
        let started = Gate()
        let cancelled = Gate()
        let clock = ManualClock()
        let configuration = ServerConfiguration.with {
            $0.drainTimeout = .seconds(10)
            // The listening socket is closed after this time.
            $0.handshakeGrace = .milliseconds(250)
        }
        try await withServer(configuration) { request in
            started.signal()
            if await untilCancelled() { cancelled.signal() }
            return await echo(request)
        } now: {
            clock.now
        } _: { server, address in
            let client = try TestClient(address)
            try await client.send(Self.request)
            await started.wait()
            server.shutdown()
            // The clock does not advance again.
            clock.advance(by: .seconds(10))
            _ = try? await client.expectEnd()
            #expect(await eventually { cancelled.count == 1 })
        }
    }

    // These tests use Unix sockets, because another test may reuse a released TCP port at once.

    @Test func `a server that never ran or was shut down before returns at once`() async throws {
        let server = echoServer()
        let address = try server.bind(to: .unix(path: temporarySocketPath()))
        server.shutdown()
        await server.run()
        await server.run()
        #expect(throws: TestClient.Failure.self) { try TestClient(address) }
    }

    @Test func `a server that is deallocated releases its address`() async throws {
        func boundAddress() throws -> BoundAddress {
            try echoServer()
                .bind(to: .unix(path: temporarySocketPath()))
        }
        let address = try boundAddress()
        #expect(throws: TestClient.Failure.self) { try TestClient(address) }
        guard case .unix(let path) = address else { return }
        #expect(access(path, F_OK) != 0)
    }

    @Test func `cancelling the task that runs the server shuts it down`() async throws {
        let server = echoServer()
        _ = try server.bind(to: .tcp(host: "127.0.0.1", port: 0))
        let run = Task { await server.run() }
        run.cancel()
        await run.value
    }
}
