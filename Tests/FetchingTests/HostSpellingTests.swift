import Fetching
import Glibc
import Synchronization
import TestHTTP
import TestPacing
import Testing

/// Spellings of hosts.
///
/// Text that some program could interpret as an address must be treated as this address or rejected.
@Suite(.limitedConcurrency) struct HostSpellingTests {
    /// Spellings of an address that at least one program accepts: curl, glibc, squid, Envoy or a browser.
    static func spellings(of address: UInt32) -> [String] {
        let (a, b, c, d) = (address >> 24, address >> 16 & 255, address >> 8 & 255, address & 255)
        func hex(_ number: UInt32) -> String { "0x" + String(number, radix: 16) }
        func octal(_ number: UInt32) -> String { "0" + String(number, radix: 8) }
        let low = c << 8 | d
        let plain = [
            "\(a).\(b).\(c).\(d)", "\(a).\(b).\(low)", "\(a).\(address & 0xFF_FFFF)", "\(address)",
            "\(hex(a)).\(hex(b)).\(hex(c)).\(hex(d))", "\(octal(a)).\(octal(b)).\(octal(c)).\(octal(d))",
            "\(hex(a)).\(b).\(octal(c)).\(d)", "\(hex(a)).\(address & 0xFF_FFFF)", hex(address), octal(address),
            "0\(octal(a)).\(b).\(c).\(d)", hex(address).uppercased().replacing("0X", with: "0x"),
            hex(address).uppercased(), "0x00000000" + hex(address).dropFirst(2),
        ]
        let dotted = plain.map { "\($0)." }
        let encoded = ["\(a).\(b).\(c)%2E\(d)", "\(a).\(b).\(c).\(d)%2e"]
        let digits = "\(a).\(b).\(c).\(d)".unicodeScalars
        func shifted(_ zero: UInt32) -> String {
            String(
                String.UnicodeScalarView(
                    digits.map { scalar in
                        scalar == "." ? scalar : Unicode.Scalar(zero + scalar.value - 48) ?? scalar
                    }
                )
            )
        }
        let wide = shifted(0xFF10)
        let international = [
            wide, "\(wide).", wide.replacing(".", with: "\u{3002}"), wide.replacing(".", with: "\u{FF0E}"),
            shifted(0x1D7CE), "\(a).\(b).\(c).\(d)\u{AD}", "\(a)\u{3002}\(b)\u{3002}\(c)\u{3002}\(d)",
            "\(a).\(b).\(c).\(d)\u{3002}",
        ]
        let (high, tail) = (String(address >> 16, radix: 16), String(address & 0xFFFF, radix: 16))
        let v6 = [
            "::ffff:\(a).\(b).\(c).\(d)", "::\(a).\(b).\(c).\(d)", "::ffff:\(high):\(tail)",
            "0:0:0:0:0:FFFF:\(high):\(tail)", "0000:0000:0000:0000:0000:ffff:\(a).\(b).\(c).\(d)",
            "::ffff:0:\(a).\(b).\(c).\(d)", "64:ff9b::\(a).\(b).\(c).\(d)", "2002:\(high):\(tail)::1",
            "2001:0:1:2:3:4:\(String(~address >> 16 & 0xFFFF, radix: 16)):\(String(~address & 0xFFFF, radix: 16))",
            "64:ff9b:1::\(a).\(b).\(c).\(d)",
            "64:ff9b:1:\(high):\(String(tail.count > 2 ? address >> 8 & 0xFF : 0, radix: 16)):\(String((address & 0xFF) << 8, radix: 16))::",
            "2600::5efe:\(a).\(b).\(c).\(d)",
        ].flatMap { ["[\($0)]", "[\($0)%25lo]", "[\($0)]."] }
        return plain + dotted + encoded + international + v6
    }

    private static let metadata: [UInt32] = [0xA9FE_A9FE, 0xA9FE_AA02, 0xA83F_8110, 0x6464_64C8, 0xC000_00C0]
    private static let loopback: UInt32 = 0x7F00_0001

    /// The targets that an attempt reached: opened sockets, and requests that a proxy received.
    private final class Reached: Sendable {
        let sockets = Mutex(0)
        let requests = Mutex<[String]>([])
    }

    private static func fetch(_ url: String, _ fetcher: ImageFetcher) async -> FetchError? {
        do {
            _ = try await fetcher.fetch(url)
            return nil
        } catch {
            return error as? FetchError
        }
    }

    /// Tries spellings directly and through a proxy, with and without private sources.
    ///
    /// No attempt may reach a target.
    private static func expectUnreached(
        _ hosts: [String],
        privateSources: [Bool],
        location: SourceLocation = #_sourceLocation
    ) async throws {
        let reached = Reached()
        let proxy = try OriginServer { connection in
            guard let request = connection.readRequest() else { return }
            reached.requests.withLock { $0.append(request) }
            connection.write(response("200 OK", body: "bytes"))
        }
        for allowsPrivate in privateSources {
            var configuration = FetchConfiguration(userAgent: "Headroom/test")
            configuration.allowsPrivateSources = allowsPrivate
            configuration.timeout = .seconds(15)
            let direct = ImageFetcher(
                configuration: configuration,
                openSocket: { family, type, number in
                    // The fetcher opens sockets itself to check whether descriptors are available.
                    if family == AF_UNIX { return socket(family, type, number) }
                    reached.sockets.withLock { $0 += 1 }
                    return -1
                }
            )
            configuration.rules.outlet.proxy = FetchProxy("http://127.0.0.1:\(proxy.port)")
            let proxied = ImageFetcher(configuration: configuration)
            for host in hosts {
                for url in ["http://\(host)/latest/meta-data/", "https://\(host)/"] {
                    let failure = await fetch(url, proxied)
                    #expect(
                        ["blocked", "invalidURL"].contains(failure?.kind),
                        "\(url), private \(allowsPrivate): \(String(describing: failure))",
                        sourceLocation: location
                    )
                }
                let failure = await fetch("http://\(host)/", direct)
                #expect(
                    ["blocked", "invalidURL"].contains(failure?.kind),
                    "\(host) directly, private \(allowsPrivate): \(String(describing: failure))",
                    sourceLocation: location
                )
            }
        }
        #expect(reached.requests.withLock(\.self) == [], sourceLocation: location)
        #expect(reached.sockets.withLock(\.self) == 0, sourceLocation: location)
    }

    @Test(arguments: metadata)
    func `a metadata service is never contacted, for any spelling and any setting`(address: UInt32) async throws {
        try await Self.expectUnreached(Self.spellings(of: address), privateSources: [false, true])
    }

    @Test func `a loopback address is not contacted without private sources, for any spelling`() async throws {
        let short = ["127.1", "127.1.", "0x7f.1", "0x7f.1.", "0177.1", "2130706433", "2130706433.", "127.0.1"]
        try await Self.expectUnreached(Self.spellings(of: Self.loopback) + short, privateSources: [false])
    }

    @Test func `names of metadata services are not sent to a proxy`() async throws {
        let names = [
            "metadata.google.internal", "metadata.google.internal.", "METADATA.google.internal", "metadata",
            "metadata.",
            "instance-data", "instance-data.ec2.internal", "metadata.goog", "metadata.tencentyun.com",
            "\u{FF4D}etadata.google.internal",
        ]
        let proxy = try OriginServer(answering: response("200 OK", body: "bytes"))
        let fetcher = ImageFetcher.local { $0.rules.outlet.proxy = FetchProxy("http://127.0.0.1:\(proxy.port)") }
        for name in names { #expect(await Self.fetch("http://\(name)/", fetcher)?.kind == "blocked", "\(name)") }
        #expect(proxy.connections == 0)
    }

    @Test(
        arguments: [
            ("http://example.com./a", "http://example.com/a"), ("http://EXAMPLE.com.:80/", "http://example.com/"),
            ("http://8.8.8.8./", "http://8.8.8.8/"), ("http://8.8.2056/", "http://8.8.8.8/"),
            ("http://0x8.010.8.8./", "http://8.8.8.8/"), ("http://134744072./", "http://8.8.8.8/"),
            ("http://0x08080808.:8080/", "http://8.8.8.8:8080/"), ("http://0/", "http://0.0.0.0/"),
            ("http://0x./", "http://0.0.0.0/"), ("http://[2606:4700:0:0:0:0:0:1111]/", "http://[2606:4700::1111]/"),
            ("http://[2606:4700::1111]:80/", "http://[2606:4700::1111]/"),
            ("http://b\u{FC}cher.example./", "http://xn--bcher-kva.example/"),
            ("http://a-1.example/", "http://a-1.example/"), ("http://1.example/", "http://1.example/"),
            ("http://0x7f.example/", "http://0x7f.example/"), ("http://xn--1.a1/", "http://xn--1.a1/"),
            ("http://example.0xyz/", "http://example.0xyz/"),
        ]
    )
    func `a host has one normal form`(text: String, normal: String) throws {
        #expect(try WebURL(text).string == normal)
        #expect(try WebURL(normal).string == normal)
    }

    @Test(arguments: [
        "http://example.com../", "http://a..b/", "http://.a/", "http://./", "http://../", "http://127.0.0.1../",
        "http://256.256.256.256/", "http://4294967296/", "http://1.2.3.4.5/", "http://1.2.3.256/", "http://1.2.65536/",
        "http://1.16777216/", "http://08.8.8.8/", "http://0x1g.1/", "http://example.1/", "http://example.0x1/",
        "http://example.0x/", "http://1.0x100000000/", "http://[::1]./", "http://[127.0.0.1]/", "http://[1.2]/",
        "http://99999999999999999999/", "http://0x1ffffffff/",
    ])
    func `text that is neither a name nor an address is rejected`(text: String) {
        #expect(throws: FetchError.self) { _ = try WebURL(text) }
    }

    @Test func `a redirect to another spelling passes the same checks`() async throws {
        let seen = Mutex<[String]>([])
        let proxy = try OriginServer { connection in
            guard let request = connection.readRequest() else { return }
            let count = seen.withLock { seen in
                seen.append(request)
                return seen.count
            }
            let hosts = ["169.254.169.254.", "0xa9fea9fe.", "2852039166.", "169.254.43518"]
            connection.write(response("302 Found", ["Location: http://\(hosts[(count - 1) % hosts.count])/"]))
        }
        let fetcher = ImageFetcher.local { $0.rules.outlet.proxy = FetchProxy("http://127.0.0.1:\(proxy.port)") }
        for _ in 0..<4 { #expect(await Self.fetch("http://pictures.example/", fetcher)?.kind == "blocked") }
        #expect(seen.withLock(\.self).allSatisfy { $0.hasPrefix("GET http://pictures.example/ ") })
        #expect(seen.withLock(\.count) == 4)
    }

    @Test func `a proxy receives only the normal form of an address`() async throws {
        let seen = Mutex<[String]>([])
        let proxy = try OriginServer { connection in
            guard let request = connection.readRequest() else { return }
            seen.withLock { $0.append(request) }
            connection.write(response("200 OK", body: "bytes"))
        }
        let fetcher = ImageFetcher.local { $0.rules.outlet.proxy = FetchProxy("http://127.0.0.1:\(proxy.port)") }
        for host in ["10.1.", "0xa.1", "167772161.", "012.0.1"] {
            _ = try await fetcher.fetch("http://\(host)/a")
        }
        for request in seen.withLock(\.self) {
            #expect(request.hasPrefix("GET http://10.0.0.1/a HTTP/1.1\r\n"), "\(request)")
            #expect(request.contains("\r\nHost: 10.0.0.1\r\n"), "\(request)")
        }
        #expect(seen.withLock(\.count) == 4)
    }
}
