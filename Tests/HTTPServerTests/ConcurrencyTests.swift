import Glibc
import HTTPServer
import HTTPTypes
import TestHTTP
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct ConcurrencyTests {
    private static let request = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

    /// The number of this process's descriptors that are sockets with the local port `port`.
    ///
    /// Tests that run at the same time have other descriptors.
    private static func openSockets(on port: UInt16) -> Int {
        var count = 0
        // New descriptors get the lowest free numbers, and a test process has far fewer.
        for descriptor in Int32(0)..<4096 {
            var address = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let status = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
            }
            if status == 0, address.sin_family == sa_family_t(AF_INET), UInt16(bigEndian: address.sin_port) == port {
                count += 1
            }
        }
        return count
    }

    @Test func `no descriptor stays open, however a connection ends`() async throws {
        let port = try await withServer(
            .with {
                $0.headerTimeout = .milliseconds(500)
                $0.lingerTimeout = .milliseconds(100)
                $0.maxConnections = 20
            }
        ) { request in
            if request.path == "/wait" { _ = await untilCancelled() }
            return request.path == "/big"
                ? ServerResponse(status: .ok, body: [UInt8](repeating: 7, count: 10_000_000)) : await echo(request)
        } _: { server, address in
            let port = try #require(address.port)
            #expect(Self.openSockets(on: port) == 1)
            do {
                let client = try TestClient(address)
                try await client.send("GET /wait HTTP/1.1\r\nHost: h\r\n\r\n")
                #expect(await eventually { Self.openSockets(on: port) == 2 })
                _ = client
            }
            for start in [
                "", "G", "bad\r\n", Self.request, "GET /wait HTTP/1.1\r\nHost: h\r\n\r\n",
                "GET /big HTTP/1.1\r\nHost: h\r\n\r\n",
            ] {
                let waiting = try TestClient(address)
                try await waiting.send(start)
                let resetting = try TestClient(address)
                try await resetting.send(start)
                // When a later client has its response, the server has processed this client.
                let later = try TestClient(address)
                try? await later.send(Self.request)
                _ = try? await later.reply()
                try await resetting.reset()
                let finishing = try TestClient(address)
                try await finishing.send(start)
                try await finishing.finishSending()
                let leaving = try TestClient(address)
                try await leaving.send(start)
            }
            // More clients than the limit, so that some are rejected.
            let crowd = try (0..<40).map { _ in try TestClient(address) }
            for client in crowd { try? await client.send(Self.request) }
            for client in crowd { _ = try? await client.reply() }
            return port
        }
        // The server has stopped and closed its listener and connections. Another test may use the port for a while.
        #expect(await eventually { Self.openSockets(on: port) == 0 })
    }

    @Test func `200 clients are served at the same time`() async throws {
        let arrived = Gate()
        try await withServer { request in
            arrived.signal()
            await arrived.wait(for: 200)
            return await echo(request)
        } _: { server, address in
            let clients = try (0..<200).map { _ in try TestClient(address) }
            for (index, client) in clients.enumerated() {
                try await client.send("GET /\(index) HTTP/1.1\r\nHost: h\r\n\r\n")
            }
            for (index, client) in clients.enumerated() {
                #expect(try await client.reply().text == "GET /\(index) h ")
            }
            // The optimiser may release clients, and close their sockets, after their last use.
            withExtendedLifetime(clients) { #expect(server.connectionCount == 200) }
        }
    }

    @Test func `clients that connect and disconnect all get their responses`() async throws {
        try await withServer { _, address in
            try await withThrowingTaskGroup { group in
                for worker in 0..<20 {
                    group.addTask {
                        for index in 0..<20 {
                            let client = try TestClient(address)
                            let body = String(repeating: "x", count: worker * 100)
                            try await client.send(
                                "POST /\(index) HTTP/1.1\r\nHost: h\r\nContent-Length: \(body.count)\r\n\r\n\(body)"
                            )
                            #expect(try await client.reply().text == "POST /\(index) h \(body)")
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}
