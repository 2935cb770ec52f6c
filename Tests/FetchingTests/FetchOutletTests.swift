import Fetching
import Synchronization
import TestHTTP
import TestPacing
import Testing

/// Proxies, certificates and fields for named hosts; `make check-sources` tests an actual proxy and a private
/// authority.
@Suite(.limitedConcurrency) struct FetchOutletTests {
    /// A proxy that responds to every request itself and records it.
    private final class Proxy: Sendable {
        private let seen = Mutex<[String]>([])
        private let reply: String

        init(_ reply: String = response("200 OK", body: "bytes")) { self.reply = reply }

        var requests: [String] { seen.withLock(\.self) }

        func listen() throws -> OriginServer {
            try OriginServer { [self] connection in
                guard let request = connection.readRequest() else { return }
                seen.withLock { $0.append(request) }
                connection.write(reply)
            }
        }
    }

    /// A fetcher that treats 127.0.0.1 as private, with a proxy at that address.
    private func fetcher(
        _ server: OriginServer,
        userInfo: String = "",
        _ configure: (inout FetchConfiguration) -> Void = { _ in }
    ) throws -> ImageFetcher {
        let address = try #require(FetchProxy("http://\(userInfo)127.0.0.1:\(server.port)"))
        return try .wary(ports: [80, 443]) {
            $0.rules.outlet.proxy = address
            configure(&$0)
        }
    }

    @Test func `a proxy receives the whole URL and resolves the name`() async throws {
        let proxy = Proxy()
        let server = try proxy.listen()
        let fetcher = try fetcher(server, userInfo: "me:s%40cret@")
        #expect(try await fetcher.fetch("http://pictures.example/a b.jpg?x=1").bytes == Array("bytes".utf8))
        let request = try #require(proxy.requests.first)
        #expect(request.hasPrefix("GET http://pictures.example/a%20b.jpg?x=1 HTTP/1.1\r\n"))
        #expect(request.contains("\r\nHost: pictures.example\r\n"))
        #expect(request.contains("\r\nProxy-Authorization: Basic bWU6c0BjcmV0\r\n"))
    }

    @Test func `https uses a tunnel, and if the proxy rejects it, the error names the proxy`() async throws {
        let proxy = Proxy(response("403 Forbidden"))
        let server = try proxy.listen()
        let failure = try await fetcher(server).failure("https://pictures.example/a.jpg")
        #expect(failure == .unreachable("the proxy responded with 403"))
        #expect(proxy.requests.first?.hasPrefix("CONNECT pictures.example:443 HTTP/1.1\r\n") == true)
    }

    @Test(arguments: [
        "http://127.0.0.1/", "http://2130706433/", "http://localhost/", "http://intranet/", "http://a.localhost/",
        "http://printer.local/", "http://metadata.google.internal/", "http://a.home.arpa./", "http://[::1]/",
        "https://127.0.0.1/", "http://[::ffff:127.0.0.1]/", "http://pictures.example:8080/", "http://ｌｏｃａｌｈｏｓｔ/",
    ])
    func `URLs with private addresses and local names are not sent to the proxy`(url: String) async throws {
        let proxy = Proxy()
        let server = try proxy.listen()
        #expect(try await fetcher(server).failure(url).kind == "blocked")
        #expect(proxy.requests.isEmpty)
    }

    @Test func `redirects through a proxy pass the same checks`() async throws {
        let proxy = Proxy(response("302 Found", ["Location: http://localhost/"]))
        let server = try proxy.listen()
        #expect(try await fetcher(server).failure("http://pictures.example/").kind == "blocked")
        #expect(proxy.requests.count == 1)
    }

    @Test func `hosts that bypass the proxy are contacted directly, under the rules for addresses`() async throws {
        let proxy = Proxy()
        let server = try proxy.listen()
        let origin = try OriginServer(address: "127.0.0.2", answering: response("200 OK", body: "direct"))
        let fetcher = try fetcher(server) {
            $0.rules.outlet.direct = ["127.0.0.2", "127.0.0.1"].compactMap { HostPattern($0) }
            $0.allowedPorts = [80, origin.port]
        }
        #expect(try await fetcher.fetch(origin.url()).bytes == Array("direct".utf8))
        #expect(try await fetcher.failure("http://127.0.0.1/").kind == "blocked")
        #expect(proxy.requests.isEmpty)
    }

    @Test func `a proxy that does not listen makes origins unreachable`() async throws {
        let port = try ReservedPort()
        let fetcher = try ImageFetcher.wary(ports: [80]) {
            $0.rules.outlet.proxy = FetchProxy("http://127.0.0.1:\(port.port)")
        }
        #expect(try await fetcher.failure("http://pictures.example/").kind == "unreachable")
    }

    @Test func `requests for objects use the proxy`() async throws {
        let proxy = Proxy()
        let server = try proxy.listen()
        let buckets = try #require(S3BucketList("photos"))
        let credentials = try #require(S3Credentials(accessKeyID: "AKID", secretAccessKey: "hidden"))
        let fetcher = try fetcher(server) {
            $0.rules.s3 = try? S3Configuration(
                endpoint: WebURL("http://store.example/storage/v1/s3"),
                buckets: buckets,
                credentials: credentials
            )
        }
        #expect(try await fetcher.fetch("s3://photos/a.jpg").bytes == Array("bytes".utf8))
        #expect(proxy.requests.first?.hasPrefix("GET http://store.example/storage/v1/s3/photos/a.jpg HTTP/1.1") == true)
    }

    @Test func `fields for one host are not sent to another host after a redirect`() async throws {
        let seen = Mutex<[String]>([])
        let other = try OriginServer(address: "127.0.0.2") { connection in
            guard let request = connection.readRequest() else { return }
            seen.withLock { $0.append(request) }
            connection.write(response("200 OK", body: "bytes"))
        }
        let origin = try OriginServer { connection in
            guard let request = connection.readRequest() else { return }
            seen.withLock { $0.append(request) }
            connection.write(response("302 Found", ["Location: \(other.url())"]))
        }
        let file = "[http://127.0.0.1:\(origin.port)]\nAuthorization: Bearer secret\nReferer: https://example.com/\n"
        let fields = try HostFields(Array(file.utf8))
        let fetcher = ImageFetcher.local { $0.rules.hostFields = fields }
        _ = try await fetcher.fetch(origin.url())
        let requests = seen.withLock(\.self)
        #expect(requests.count == 2)
        #expect(requests[0].contains("\r\nAuthorization: Bearer secret\r\n"))
        #expect(requests[0].contains("\r\nReferer: https://example.com/\r\n"))
        #expect(!requests[1].contains("secret") && !requests[1].contains("Referer"))
    }

    @Test(arguments: [
        "", "proxy", "proxy:3128", "socks5://proxy:1080", "http://", "http://proxy/path", "http://proxy:0",
        "http://a@b@c:x", "http://user:%00@proxy:3128", "http://user:%zz@proxy:3128",
    ])
    func `any other text is not a valid proxy`(text: String) { #expect(FetchProxy(text) == nil) }

    @Test func `the description of a proxy omits its password`() throws {
        let proxy = try #require(FetchProxy("http://me:secret@proxy:3128"))
        var dumped = ""
        dump(proxy, to: &dumped)
        #expect("\(proxy)" == "http://proxy:3128")
        #expect(!"\(String(reflecting: proxy))\(dumped)".contains("secret"))
    }

    @Test func `certificates are PEM files, and keys have no passphrase`() {
        let certificate = Array("-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n".utf8)
        let key = Array("-----BEGIN RSA PRIVATE KEY-----\r\nAA==\r\n-----END RSA PRIVATE KEY-----\r\n".utf8)
        let locked = Array("-----BEGIN ENCRYPTED PRIVATE KEY-----\nAA==\n".utf8)
        #expect(FetchOutlet.authorities(besideSystem: key, system: certificate) == nil)
        #expect(FetchOutlet.authorities(besideSystem: certificate, system: []).map { $0.contains(certificate) } == true)
        #expect(ClientIdentity(certificate: certificate, key: key, hosts: []) != nil)
        #expect(ClientIdentity(certificate: certificate + key, key: certificate + key, hosts: []) != nil)
        #expect(ClientIdentity(certificate: certificate, key: locked, hosts: []) == nil)
        #expect(ClientIdentity(certificate: key, key: key, hosts: []) == nil)
    }
}
