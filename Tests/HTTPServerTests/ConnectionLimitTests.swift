import HTTPServer
import TestHTTP
import TestPacing
import Testing

/// Limits on connections per address.
@Suite(.limitedConcurrency) struct ConnectionLimitTests {
    private static let request = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

    private static let configuration = ServerConfiguration.with { $0.maxConnectionsPerAddress = 2 }

    private static func status(_ client: TestClient) async throws -> Int {
        try await client.send(request)
        return try await client.reply().status
    }

    @Test func `an address above its limit gets 503 while others are served, until one of its connections closes`()
        async throws
    {
        try await withServer(Self.configuration) { server, address in
            var clients = [try TestClient(address), try TestClient(address)]
            for client in clients { #expect(try await Self.status(client) == 200) }
            let third = try TestClient(address)
            try await third.send(Self.request)
            let refusal = try await third.reply()
            #expect(refusal.status == 503)
            #expect(refusal.text == "Your address has more than 2 connections open.")
            try await third.expectEnd()
            let neighbour = try TestClient(address, from: "127.0.0.2")
            #expect(try await Self.status(neighbour) == 200)
            // The optimiser may release clients, and close their sockets, after their last use.
            withExtendedLifetime(clients) {}
            clients.removeAll()
            #expect(await eventually { server.connectionCount <= 2 })
            let fourth = try TestClient(address)
            #expect(try await Self.status(fourth) == 200)
            withExtendedLifetime(neighbour) {}
        }
    }

    @Test func `many connections from one address do not block other addresses`() async throws {
        try await withServer(Self.configuration) { server, address in
            // Opens more connections than the number of rejected connections that get a response.
            let crowd = try (0..<200).map { _ in try TestClient(address) }
            let neighbour = try TestClient(address, from: "127.0.0.2")
            #expect(try await Self.status(neighbour) == 200)
            withExtendedLifetime(crowd) {}
        }
    }

    @Test func `0 disables the limit, and a Unix socket has no limit`() async throws {
        let noLimit = ServerConfiguration.with { $0.maxConnectionsPerAddress = 0 }
        for (configuration, listen) in [
            (noLimit, ListenAddress.tcp(host: "127.0.0.1", port: 0)),
            (Self.configuration, .unix(path: temporarySocketPath())),
        ] {
            try await withServer(configuration, on: listen) { _, address in
                let clients = try (0..<10).map { _ in try TestClient(address) }
                for client in clients { #expect(try await Self.status(client) == 200) }
                withExtendedLifetime(clients) {}
            }
        }
    }

    @Test func `connections from a trusted proxy have no limit per address`() async throws {
        try await withServer(Self.configuration, trustsProxies: true) { _, address in
            let clients = try (0..<10).map { _ in try TestClient(address) }
            for client in clients { #expect(try await Self.status(client) == 200) }
            withExtendedLifetime(clients) {}
        }
    }

    @Test func `an IPv4 address is one client, and so is an IPv6 /64 network`() {
        func network(_ host: String) -> PeerAddress.Network? { PeerAddress(host: host, port: 1).network }
        #expect(network("192.0.2.1") == network("192.0.2.1"))
        #expect(network("192.0.2.1") != network("192.0.2.2"))
        #expect(network("2001:db8:1:2::1") == network("2001:db8:1:2:ffff::2"))
        #expect(network("2001:db8:1:2::1") != network("2001:db8:1:3::1"))
        #expect(network("fe80::1%eth0") == network("fe80::2"))
        #expect(network("::1") != nil)
        #expect(PeerAddress.unix.network == nil)
    }
}
