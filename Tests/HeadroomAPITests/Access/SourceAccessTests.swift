import Fetching
import HTTPServer
import HTTPTypes
import HeadroomAPI
import Synchronization
import TestHTTP
import TestPacing
import Testing

/// Access to origins, for a client that chooses the URL.
@Suite(.limitedConcurrency) struct SourceAccessTests {
    /// An address of every blocked class, as a URL contains it.
    static let hosts = [
        // Loopback and unspecified, in every notation.
        "127.0.0.1", "127.255.255.254", "localhost", "2130706433", "0x7f000001", "017700000001", "127.1", "0x7f.1",
        "0177.0.0.1", "0.0.0.0", "0", "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::127.0.0.1]", "[::ffff:0:127.0.0.1]",
        // Link-local and metadata.
        "169.254.169.254", "2852039166", "0xa9fea9fe", "[fe80::1]", "[::ffff:169.254.169.254]", "[fd00:ec2::254]",
        "168.63.129.16", "100.100.100.200", "192.0.0.192", "[fd20:ce::254]",
        // Private, carrier-grade NAT, unique local, site-local.
        "10.0.0.1", "167772161", "012.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1", "[fc00::1]",
        "[fd00::1]", "[fec0::1]", "[::ffff:10.0.0.1]", "[::10.0.0.1]",
        // Benchmarks, documentation, assignments, multicast, reserved, broadcast.
        "198.18.0.1", "192.0.2.1", "198.51.100.1", "203.0.113.1", "192.0.0.1", "192.88.99.1", "224.0.0.1", "240.0.0.1",
        "255.255.255.255", "[2001:db8::1]", "[3fff::1]", "[2001:2::1]", "[ff02::1]", "[100::1]", "[5f00::1]",
        // IPv4 inside IPv6: 6to4, NAT64 with both prefixes, Teredo, ISATAP.
        "[2002:7f00:1::]", "[2002:a9fe:a9fe::]", "[64:ff9b::10.0.0.1]", "[64:ff9b::a9fe:a9fe]",
        "[64:ff9b:1:a00:0:100::]", "[64:ff9b:1:a9fe:a9:fe00::]", "[2001::80ff:fffe]", "[2600::5efe:10.0.0.1]",
        "[2600::200:5efe:192.168.1.1]",
    ]

    private let blank: [UInt8]

    init() throws { blank = try Images.blankPNG.get() }

    private static let notFound = "urn:headroom:problem:source-not-found"

    @Test func `every blocked address gets the same response from outside, and only the log contains the reason`()
        async throws
    {
        let requests = Atomic(0)
        let log = LogRecorder()
        let detector = ScriptedDetector()
        try await TestOrigin.running([:], onSilence: { requests.add(1, ordering: .relaxed) }) { origin in
            let port = try #require(Int(origin.split(separator: ":").last ?? ""))
            var options = TestService.Options()
            options.allowsPrivateSources = false
            options.allowedPorts = [port]
            options.log = log
            options.trustedProxies = try #require(TrustedProxies("127.0.0.1"))
            let client = [("X-Forwarded-For", "203.0.113.9")]
            try await TestService.running(detector, options) { service in
                var bodies: Set<[UInt8]> = []
                for host in Self.hosts {
                    let before = log.lines.count
                    let url = percentEncoded("http://\(host):\(port)/silence?token=secret")
                    let reply = try await service.request("GET", "/frame?url=\(url)", headers: client)
                    #expect(reply.status == 404, "\(host): \(reply.text)")
                    bodies.insert(reply.body)
                    let lines = log.lines.dropFirst(before)
                    #expect(
                        lines.contains { $0.contains("source rejected") && $0.contains("reason=blocked: ") },
                        "\(host)"
                    )
                    #expect(!lines.contains { $0.contains("token=secret") })
                }
                // A port that is not allowed gets the same response.
                let elsewhere = percentEncoded("http://127.0.0.1:\(port ^ 1)/a.png")
                bodies.insert(try await service.request("GET", "/frame?url=" + elsewhere, headers: client).body)
                let body = try #require(bodies.first)
                #expect(bodies.count == 1)
                #expect(try JSONValue(json: body)["type"] == .string(Self.notFound))
                #expect(try JSONValue(json: body)["detail"] == "No image found at this URL.")
            }
        }
        #expect(requests.load(ordering: .relaxed) == 0)
        #expect(detector.calls == 0)
    }

    @Test func `only a client in the service's network gets the cause`() async throws {
        let missing = "http://93.184.216.34:81/a.jpg"
        let privateAddress = "Sources at private addresses require --allow-private-sources."
        let forbidden =
            "No setting allows this address: it is link-local, multicast, reserved or the address of a metadata service."
        let causes = [
            ("http://127.0.0.1/a.jpg", privateAddress), ("http://10.1.2.3/a.jpg", privateAddress),
            ("http://127.0.0.1:8080/a.jpg", privateAddress), ("http://localhost:9000/a.jpg", privateAddress),
            ("http://minio:9000/a.jpg", privateAddress), ("http://169.254.169.254/latest", forbidden),
            ("http://169.254.169.254:8080/latest", forbidden), ("http://[fe80::1]/a.jpg", forbidden),
            (missing, "The port 81 is not allowed; expected 80 or 443, or a host with this port in --allow-hosts."),
            ("http://example.com:8080/a.jpg", "The port 8080 is not allowed; expected 80 or 443,"),
        ]
        var options = TestService.Options()
        options.allowsPrivateSources = false
        try await TestService.running(ScriptedDetector(), options) { service in
            let camera = try await service.request("GET", "/stream?url=http%3A%2F%2F127.0.0.1%2Fa")
            #expect(camera.status == 404 && camera.text.contains(privateAddress))
            for (url, cause) in causes {
                let target = "/frame?url=\(percentEncoded(url))"
                let reply = try await service.request("GET", target)
                #expect(reply.status == 404)
                let detail = try JSONValue(json: reply.body)["detail"].string
                #expect(detail?.hasPrefix("No image found at this URL. \(cause)") == true, "\(url): \(detail ?? "")")
                for field in ["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP", "X-Forwarded-Proto"] {
                    let other = try await service.request("GET", target, headers: [(field, "1.1 proxy")])
                    #expect(try JSONValue(json: other.body)["detail"] == "No image found at this URL.", "\(field)")
                }
            }
        }
    }

    @Test func `a missing file, an unknown name and a host outside the list are named for local clients`() async throws
    {
        try await TestOrigin.running([:]) { origin in
            var options = TestService.Options()
            options.names = NameLookup { _ in -2 }
            try await TestService.running(ScriptedDetector(), options) { service in
                let absent = try await service.request("GET", "/frame?url=\(percentEncoded("\(origin)/absent.png"))")
                #expect(absent.text.contains("No image found at this URL. The origin responded with status 404."))
                let name = try await service.request(
                    "GET",
                    "/frame?url=\(percentEncoded("http://\(UnknownHost.name)/a"))"
                )
                #expect(name.status == 404 && name.text.contains("The host name does not exist: "))
                #expect(!absent.text.contains("--allow") && !name.text.contains("--allow"))
            }
            options.allowedHosts = [try #require(HostPattern("example.com"))]
            try await TestService.running(ScriptedDetector(), options) { service in
                let reply = try await service.request("GET", "/frame?url=\(percentEncoded("\(origin)/a.png"))")
                #expect(
                    reply.text.contains("No image found at this URL. --allow-hosts does not contain the host.")
                )
            }
            options.allowedHosts = nil
            options.deniedHosts = [try #require(HostPattern("*:\(origin.split(separator: ":").last ?? "")"))]
            try await TestService.running(ScriptedDetector(), options) { service in
                let reply = try await service.request("GET", "/frame?url=\(percentEncoded("\(origin)/a.png"))")
                #expect(reply.status == 404)
                #expect(reply.text.contains("No image found at this URL. --deny-hosts contains the host."))
            }
        }
    }

    @Test func `the response for a private address does not depend on whether a server listens there`() async throws {
        let responses = ["/a.png": TestOrigin.Response.file(blank)]
        try await TestOrigin.running(responses) { origin in
            let port = try #require(Int(origin.split(separator: ":").last ?? ""))
            var options = TestService.Options()
            options.allowsPrivateSources = false
            options.allowedPorts = [port]
            try await TestService.running(ScriptedDetector(), options) { service in
                let there = try await service.request("GET", "/frame?url=" + percentEncoded("\(origin)/a.png"))
                let nobody = percentEncoded("http://127.0.0.77:\(port)/a.png")
                let notThere = try await service.request("GET", "/frame?url=" + nobody)
                #expect(there.status == 404)
                #expect(there.body == notThere.body)
                let names = { (reply: TestClient.Reply) in reply.headers.map(\.name) }
                #expect(names(there) == names(notThere))
            }
        }
    }

    @Test func `sources are fetched only from allowed hosts, with GET and POST and after a redirect`() async throws {
        let requests = Atomic(0)
        let elsewhere = ["/a.png": TestOrigin.Response.file(blank)]
        try await TestOrigin.running(elsewhere, onSilence: { requests.add(1, ordering: .relaxed) }) { other in
            let responses = [
                "/a.png": TestOrigin.Response.file(blank),
                "/away": TestOrigin.Response(status: .found, headers: [.location: "\(other)/silence"]),
                "/here": TestOrigin.Response(status: .found, headers: [.location: "/a.png"]),
            ]
            try await TestOrigin.running(responses) { origin in
                let log = LogRecorder()
                var options = TestService.Options()
                options.allowedHosts = [try #require(HostPattern(String(origin.dropFirst("http://".count))))]
                options.log = log
                try await TestService.running(ScriptedDetector(), options) { service in
                    for (url, status) in [
                        ("\(origin)/a.png", 200), ("\(origin)/here", 200), ("\(origin)/away", 404),
                        ("\(other)/silence", 404), ("\(origin)/missing", 404),
                    ] {
                        let got = try await service.request("GET", "/frame?url=" + percentEncoded(url))
                        #expect(got.status == status, "\(url)")
                        let object = Array("{\"url\": \"\(url)\"}".utf8)
                        let json = [("Content-Type", "application/json")]
                        let posted = try await service.request("POST", "/faces", headers: json, body: object)
                        #expect(posted.status == status)
                        if status == 404 {
                            #expect(got.body == posted.body)
                            #expect(try JSONValue(json: got.body)["type"] == .string(Self.notFound))
                        }
                    }
                    let refusals = log.lines.filter { $0.contains("is not an allowed host") }
                    #expect(refusals.count { $0.contains("source rejected") } == 4)
                    #expect(refusals.contains { $0.contains("redirect to") })
                }
            }
        }
        #expect(requests.load(ordering: .relaxed) == 0)
    }

    @Test func `a url that points back to the service gets 508 after one round`() async throws {
        let detector = ScriptedDetector()
        try await TestService.running(detector) { service in
            let own = "http://127.0.0.1:\(service.port)/frame?url="
            let responses = [
                "/loop": TestOrigin.Response(status: .found, headers: [.location: own + "http%3A%2F%2Fx%2F"])
            ]
            try await TestOrigin.running(responses) { origin in
                for url in [own + percentEncoded("\(own)http://x/"), "\(origin)/loop"] {
                    let reply = try await service.request("GET", "/frame?url=" + percentEncoded(url))
                    #expect(reply.status == 508)
                    #expect(try JSONValue(json: reply.body)["type"] == "urn:headroom:problem:loop-detected")
                }
            }
        }
        #expect(detector.calls == 0)
    }

    @Test(arguments: [
        ("1.1 headroom", 508), ("1.0 varnish, 1.1 Headroom", 508), ("HTTP/1.1 headroom (Headroom/1.0)", 508),
        ("1.1 varnish", 200), ("1.1 headroom.example.com", 200), ("headroom", 200), ("1.1 myheadroom", 200),
    ])
    func `Via identifies the service's own fetches`(via: String, status: Int) async throws {
        try await TestService.running { [blank] service in
            let headers = [("Via", "1.0 first"), ("Via", via)]
            let posted = try await service.request("POST", "/frame", headers: headers, body: blank)
            #expect(posted.status == status)
            let health = try await service.request("GET", "/healthz", headers: headers)
            #expect(health.status == 200)
        }
    }
}
