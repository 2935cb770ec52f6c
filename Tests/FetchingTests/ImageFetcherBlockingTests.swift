import Fetching
import Foundation
import Synchronization
import TestHTTP
import TestPacing
import Testing

@Suite(.limitedConcurrency)
struct ImageFetcherBlockingTests {
    @Test(arguments: [
        "127.0.0.1", "localhost", "2130706433", "0x7f000001", "017700000001", "127.1", "0177.0.0.1", "0x7f.1",
        "127.0.1", "%31%32%37.0.0.1", "0", "0.0.0.0", "0x0", "[::]", "[::1]", "[0:0:0:0:0:0:0:1]",
        "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[::ffff:0:127.0.0.1]", "[64:ff9b::7f00:1]",
        "[64:ff9b:1:7f00:0:100::]", "[2002:7f00:1::]", "[2001::80ff:fffe]", "[2600::5efe:127.0.0.1]", "localhost.",
        "sub.localhost", "LOCALHOST",
    ])
    func `by default, no spelling of a private address is fetched`(host: String) async throws {
        let origin = try OriginServer(answering: response("200 OK", body: "secret"))
        var configuration = FetchConfiguration(userAgent: "Headroom/test")
        configuration.allowedPorts = [origin.port]
        let failure = try await ImageFetcher(configuration: configuration).failure("http://\(host):\(origin.port)/")
        #expect(["blocked", "unresolved"].contains(failure.kind))
        #expect(origin.connections == 0)
    }

    @Test func `the reason contains the blocked address`() async throws {
        let failure = try await ImageFetcher(configuration: .init(userAgent: "Headroom/test"))
            .failure("http://127.0.0.1/")
        #expect(failure == .blocked("127.0.0.1: loopback (RFC 1122)"))
    }

    @Test(arguments: [
        "http://169.254.169.254/latest/meta-data/", "http://[::ffff:169.254.169.254]/", "http://0.0.0.0/",
        "http://224.0.0.1/", "http://255.255.255.255/", "http://[ff02::1]/", "http://[::]/", "http://168.63.129.16/",
    ])
    func `special addresses stay blocked if private sources are allowed`(url: String) async throws {
        #expect(try await ImageFetcher.local().failure(url).kind == "blocked")
    }

    @Test func `private addresses among public addresses are skipped, in any order`() async throws {
        let (outer, inner) = try OriginServer.pair(
            ("127.0.0.2", response("200 OK", body: "bytes")),
            ("127.0.0.1", response("200 OK", body: "secret"))
        )
        let addresses = ["127.0.0.1", "127.0.0.2", "::1"].compactMap { IPAddress($0) }
        for order in [[0, 1], [1, 0], [0, 0, 1], [2, 0, 1], [0, 2, 1]] {
            let pinned = PinnedHost(host: "mixed.test", port: outer.port, addresses: order.map { addresses[$0] })
            let fetcher = try ImageFetcher.wary(ports: [outer.port], pinnedHosts: [pinned])
            let image = try await fetcher.fetch("http://mixed.test:\(outer.port)/")
            #expect(image.bytes == Array("bytes".utf8))
        }
        #expect(inner.connections == 0)
    }

    @Test func `if a name's public address is unreachable, its private address is not contacted`() async throws {
        let inner = try OriginServer(answering: response("200 OK", body: "secret"))
        let addresses = ["127.0.0.2", "127.0.0.1"].compactMap { IPAddress($0) }
        let pinned = PinnedHost(host: "rebind.test", port: inner.port, addresses: addresses)
        let fetcher = try ImageFetcher.wary(ports: [inner.port], pinnedHosts: [pinned])
        let failure = try await fetcher.failure("http://rebind.test:\(inner.port)/")
        #expect(["blocked", "unreachable"].contains(failure.kind))
        #expect(inner.connections == 0)
    }

    @Test func `a name that becomes private between two lookups is blocked at the second lookup`() async throws {
        let (outer, inner) = try OriginServer.pair(
            ("127.0.0.2", response("302 Found", ["Location: /b.jpg"])),
            ("127.0.0.1", response("200 OK", body: "secret"))
        )
        let lookups = Atomic(0)
        let addresses = ["127.0.0.2", "127.0.0.1"].compactMap { IPAddress($0) }
        let port = outer.port
        @Sendable func pinned() -> [PinnedHost] {
            let count = lookups.add(1, ordering: .relaxed).oldValue
            return [PinnedHost(host: "rebind.test", port: port, addresses: [addresses[min(count, 1)]])]
        }
        let fetcher = try ImageFetcher.wary(ports: [port], pinnedHosts: pinned())
        #expect(try await fetcher.failure("http://rebind.test:\(port)/a.jpg") == .blocked("127.0.0.1: 127.0.0.1/32"))
        #expect(lookups.load(ordering: .relaxed) == 2)
        #expect(outer.connections == 1)
        #expect(inner.connections == 0)
    }

    @Test func `a name with only private addresses is blocked`() async throws {
        let inner = try OriginServer(answering: response("200 OK", body: "secret"))
        let pinned = PinnedHost(
            host: "inner.test",
            port: inner.port,
            addresses: ["127.0.0.1", "::1"].compactMap { IPAddress($0) }
        )
        let fetcher = try ImageFetcher.wary(ports: [inner.port], pinnedHosts: [pinned])
        #expect(try await fetcher.failure("http://inner.test:\(inner.port)/").kind == "blocked")
        #expect(inner.connections == 0)
    }

    @Test func `a port that is not allowed is rejected before any connection`() async throws {
        let origin = try OriginServer(address: "127.0.0.2", answering: response("200 OK"))
        let fetcher = try ImageFetcher.wary(ports: [80, 443])
        #expect(try await fetcher.failure(origin.url()) == .blocked("port \(origin.port) is not allowed"))
        #expect(origin.connections == 0)
    }

    @Test func `proxies from the environment are ignored`() async {
        // Uses a separate process, because other tests must not see the changed environment.
        await #expect(processExitsWith: .success) {
            let proxy = try OriginServer(address: "127.0.0.4", answering: response("200 OK", body: "proxy"))
            let origin = try OriginServer(answering: response("200 OK", body: "bytes"))
            for name in ["http_proxy", "HTTP_PROXY", "https_proxy", "all_proxy", "ALL_PROXY"] {
                setenv(name, "http://\(proxy.address):\(proxy.port)", 1)
            }
            unsetenv("no_proxy")
            unsetenv("NO_PROXY")
            let image = try await ImageFetcher.local().fetch(origin.url())
            #expect(image.bytes == Array("bytes".utf8))
            #expect(proxy.connections == 0)
        }
    }
}
