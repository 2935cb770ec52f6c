import HTTPServer
import HTTPTypes
import HeadroomAPI
import TestHTTP
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct TrustedProxiesTests {
    private static let own = "10.0.0.0/8, 2001:db8:1::/48,192.0.2.7"

    /// The client of a request from 10.0.0.1 with these fields; nil if no address is trusted.
    private static func client(
        _ fields: [(String, String)],
        from peer: String = "10.0.0.1",
        trusting list: String = own
    ) throws -> String? {
        var headers = HTTPFields()
        for (name, value) in fields {
            headers.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
        }
        let proxies = try #require(TrustedProxies(list), "\(list)")
        return proxies.client(behind: PeerAddress(host: peer, port: 5), headers)?.description
    }

    @Test(
        arguments: [
            ("203.0.113.9", "203.0.113.9"),
            // Entries from the client itself are to the left of the entries that proxies added.
            ("198.51.100.1, 203.0.113.9", "203.0.113.9"), ("10.9.9.9, 203.0.113.9", "203.0.113.9"),
            ("203.0.113.9, 10.0.0.2", "203.0.113.9"), ("1.1.1.1, 203.0.113.9, 10.0.0.2 ,192.0.2.7", "203.0.113.9"),
            // All entries are proxies, so the first one is the client.
            ("10.0.0.3, 10.0.0.2", "10.0.0.3"), ("10.0.0.3", "10.0.0.3"),
            ("203.0.113.9:4711", "203.0.113.9"), ("[2001:db8::9]:4711", "2001:db8::9"),
            ("[2001:db8::9]", "2001:db8::9"),
            ("2001:db8::9", "2001:db8::9"), ("2001:DB8:0:0::9", "2001:db8::9"), ("\"203.0.113.9\"", "203.0.113.9"),
            ("2001:db8::9, 2001:db8:1::2", "2001:db8::9"),
            // An IPv4-mapped IPv6 address equals its IPv4 address, for the client and for proxies.
            ("::ffff:203.0.113.9", "203.0.113.9"), ("[::FFFF:cb00:7109]:5", "203.0.113.9"),
            ("203.0.113.9, ::ffff:10.0.0.2", "203.0.113.9"),
            ("203.0.113.9,,", "203.0.113.9"), (" \t203.0.113.9\t ", "203.0.113.9"), (",203.0.113.9, ,", "203.0.113.9"),
            // Text from the client, before the comma, has no effect.
            ("\"; DROP, 203.0.113.9", "203.0.113.9"), ("a\"b\"c\", 203.0.113.9", "203.0.113.9"),
            (String(repeating: "x", count: 8000) + ", 203.0.113.9", "203.0.113.9"),
            ("é, 203.0.113.9", "203.0.113.9"),
            // An entry that is not an address is ignored, and so are all entries to its left.
            ("", nil), (",", nil), ("unknown", nil), ("_hidden", nil), ("203.0.113.9, unknown", nil),
            ("203.0.113.9, 300.1.1.1", nil), ("203.0.113.9 198.51.100.1", nil), ("203.0.113.9:", nil),
            ("203.0.113.9:123456", nil), ("203.0.113.9:1a", nil), ("[2001:db8::9", nil), ("2001:db8::9]", nil),
            ("[2001:db8::9]4711", nil), ("[203.0.113.9]", nil), ("\"203.0.113.9", nil), ("fe80::1%eth0", nil),
            ("127.1", nil), ("0x7f.0.0.1", nil), ("2001:db8::é", nil), ("example.com", nil),
            (String(repeating: " ", count: 100) + "203.0.113.9", "203.0.113.9"),
            (String(repeating: "1", count: 65), nil),
            // The nearest valid address.
            ("203.0.113.9, unknown, 10.0.0.2", "10.0.0.2"),
        ] as [(String, String?)]
    )
    func `X-Forwarded-For is read from right to left up to the first untrusted address`(
        value: String,
        client: String?
    ) throws {
        #expect(try Self.client([("X-Forwarded-For", value)]) == client)
    }

    @Test(
        arguments: [
            ("for=203.0.113.9", "203.0.113.9"), ("For=\"203.0.113.9:4711\"", "203.0.113.9"),
            ("for=\"[2001:db8::9]:4711\";proto=https;by=10.0.0.1", "2001:db8::9"),
            ("proto=https ; FOR=203.0.113.9", "203.0.113.9"),
            ("by=10.0.0.1;for=203.0.113.9;host=\"a,b;c\"", "203.0.113.9"),
            ("for=1.1.1.1, for=203.0.113.9, for=10.0.0.2", "203.0.113.9"), ("for=\"::ffff:10.0.0.2\"", "10.0.0.2"),
            // A quote that the client did not close does not hide the entry from the proxy.
            ("for=\"evil, for=203.0.113.9", "203.0.113.9"), ("host=\"x\\\", for=203.0.113.9", "203.0.113.9"),
            ("proto=https", nil), ("for=unknown", nil), ("for=_secret", nil), ("for=203.0.113.9;for=1.1.1.1", nil),
            ("for=203.0.113.9;host=\"a\\\"b\"", nil), ("for = 203.0.113.9", nil), ("for", nil), ("=203.0.113.9", nil),
            ("f\u{006F}\u{0301}r=203.0.113.9", nil),
            ("for=203.0.113.9;host=" + String(repeating: "x", count: 600), nil),
        ] as [(String, String?)]
    )
    func `Forwarded is read from right to left, like X-Forwarded-For`(value: String, client: String?) throws {
        #expect(try Self.client([("Forwarded", value)]) == client)
    }

    @Test func `lines of one field are one list`() throws {
        let lines = [
            ("X-Forwarded-For", "1.1.1.1"), ("x-forwarded-for", "203.0.113.9"), ("X-Forwarded-For", "10.0.0.2"),
        ]
        #expect(try Self.client(lines) == "203.0.113.9")
    }

    @Test func `if the two fields name different clients, neither is used`() throws {
        let address = ("X-Forwarded-For", "203.0.113.9")
        #expect(try Self.client([address, ("Forwarded", "for=203.0.113.9")]) == "203.0.113.9")
        for forged in ["for=198.51.100.1", "for=unknown", "", "nonsense", "for=10.0.0.9"] {
            #expect(try Self.client([address, ("Forwarded", forged)]) == nil)
        }
    }

    @Test(arguments: ["203.0.113.1", "11.0.0.1", "192.0.2.8", "2001:db8:2::1", "::1"])
    func `fields from an untrusted peer are ignored`(peer: String) throws {
        #expect(try Self.client([("X-Forwarded-For", "203.0.113.9")], from: peer) == nil)
    }

    @Test func `without a list of proxies the fields are ignored`() {
        let headers: HTTPFields = [HTTPField.Name("X-Forwarded-For").unsafelyUnwrapped: "203.0.113.9"]
        #expect(TrustedProxies().client(behind: PeerAddress(host: "127.0.0.1", port: 1), headers) == nil)
        #expect(TrustedProxies().client(behind: .unix, headers) == nil)
        #expect(!TrustedProxies().contains(.unix))
    }

    @Test func `a Unix socket is trusted if the list contains it`() throws {
        let headers: HTTPFields = [HTTPField.Name("X-Forwarded-For").unsafelyUnwrapped: "203.0.113.9"]
        let proxies = try #require(TrustedProxies("unix,10.0.0.0/8"))
        #expect(proxies.client(behind: .unix, headers) == PeerAddress(host: "203.0.113.9"))
        #expect(try #require(TrustedProxies("10.0.0.0/8")).client(behind: .unix, headers) == nil)
    }

    @Test(arguments: ["::ffff:10.0.0.0/104", "::ffff:10.0.0.1", "10.0.0.1", "10.0.0.1/32", "fe80::/10,10.0.0.0/31"])
    func `a network can be written in several ways`(list: String) throws {
        #expect(try Self.client([("X-Forwarded-For", "203.0.113.9")], trusting: list) == "203.0.113.9")
    }

    @Test func `the zone of a link-local proxy is not part of its network`() throws {
        let fields = [("X-Forwarded-For", "203.0.113.9")]
        #expect(try Self.client(fields, from: "fe80::1%eth0", trusting: "fe80::/10") == "203.0.113.9")
    }

    @Test(arguments: [
        "", ",", "10.0.0.0/8,", "10.0.0.1/8", "10.0.0.0/33", "0.0.0.0/0", "::/0", "::ffff:0.0.0.0/96", "example.com",
        "*",
        "10.0.0.0-10.0.0.9", "[::1]", "127.0.0.1:80", "private", "UNIX", "fe80::1%eth0",
        Array(repeating: "10.0.0.1", count: TrustedProxies.maxNetworks + 1).joined(separator: ","),
    ])
    func `a list with any other entry is rejected`(list: String) { #expect(TrustedProxies(list) == nil) }

    @Test func `the search stops after a maximum number of proxies`() throws {
        let proxies = Array(repeating: "10.0.0.2", count: TrustedProxies.maxHops - 1)
        func value(_ hops: [String]) -> [(String, String)] {
            [("X-Forwarded-For", (["203.0.113.9"] + hops).joined(separator: ","))]
        }
        #expect(try Self.client(value(proxies)) == "203.0.113.9")
        #expect(try Self.client(value(proxies + ["10.0.0.3"])) == "10.0.0.2")
    }

    @Test func `the log contains client and proxy, and ignores the fields of an untrusted proxy`()
        async throws
    {
        for (list, expected) in [("127.0.0.1", "client=203.0.113.9"), ("127.0.0.2", nil)] {
            let log = LogRecorder()
            var options = TestService.Options()
            options.log = log
            options.trustedProxies = try #require(TrustedProxies(list))
            try await TestService.running(ScriptedDetector(), options) { service in
                _ = try await service.request("GET", "/healthz", headers: [("X-Forwarded-For", "1.1.1.1, 203.0.113.9")])
            }
            let line = try #require(log.lines.first { $0.contains("route=healthz") })
            #expect(line.contains("peer=127.0.0.1:"))
            #expect(!line.contains("1.1.1.1"))
            if let expected { #expect(line.contains(expected)) } else { #expect(!line.contains("client=")) }
        }
    }

    @Test(arguments: [("192.168.3.4", true), ("8.8.8.8", false), ("unknown", false)])
    func `the hint for clients in private networks depends on the client behind a trusted proxy`(
        client: String,
        hasHint: Bool
    ) async throws {
        var options = TestService.Options()
        options.allowsPrivateSources = false
        options.trustedProxies = try #require(TrustedProxies("127.0.0.1"))
        try await TestService.running(ScriptedDetector(), options) { service in
            let target = "/frame?url=http%3A%2F%2F127.0.0.1%2Fa.jpg"
            let reply = try await service.request("GET", target, headers: [("X-Forwarded-For", client)])
            #expect(reply.status == 404)
            #expect(reply.text.contains("--allow-private-sources") == hasHint)
        }
    }
}
