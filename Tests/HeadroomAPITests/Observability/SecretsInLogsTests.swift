import HTTPServer
import HTTPTypes
import HeadroomAPI
import Logging
import Synchronization
import Telemetry
import TestHTTP
import TestPacing
import Testing

/// Secrets of requests are never logged, at any level or in any format.
@Suite(.limitedConcurrency) struct SecretsInLogsTests {
    private static let image = Images.blankPNG

    /// All secrets.
    private static let secrets = [
        Credentials.firstKey, Credentials.secondKey, Credentials.foreignKey, Credentials.bearer, "origin-signature",
        "origin-password", "location-signature", "location-password", "cookie-secret", "state-secret", "body-secret",
        "signature=", "Signature=",
    ]

    @Test(arguments: LogFormat.allCases)
    func `no log line contains a secret`(format: LogFormat) async throws {
        let written = Mutex("")
        var logger = Logger(label: "headroom") { label in
            LineLogHandler(label: label, format: format) { line in
                written.withLock { $0 += String(decoding: line, as: UTF8.self) }
            }
        }
        logger.logLevel = .trace
        var options = TestService.Options()
        options.access = Credentials.bearing(andSigning: true)
        options.logger = logger
        let location = "http://user:location-password@127.0.0.1/a.png?X-Amz-Signature=location-signature"
        let responses = try [
            "/a.png": TestOrigin.Response.file(Self.image.get()),
            "/away": TestOrigin.Response(status: .found, headers: [.location: location]),
            "/blocked": TestOrigin.Response(
                status: .found,
                headers: [.location: "ftp://127.0.0.1/?X-Amz-Signature=location-signature"]
            ),
        ]
        let requests = try await TestOrigin.running(responses) { origin in
            try await TestService.running(ScriptedDetector(), options) { service in
                let query = "?X-Amz-Signature=origin-signature"
                let urls = [
                    "\(origin)/a.png\(query)", "\(origin)/missing\(query)", "\(origin)/away\(query)",
                    "\(origin)/blocked\(query)", "http://user:origin-password@127.0.0.1/a.png",
                    "http://127.0.0.1:1/a.png\(query)", "http://\(UnknownHost.name)/a.png\(query)",
                    "http://127.0.0.1 origin-password/", "origin-password", "http://[origin-password]/",
                ]
                let bearer = ("Authorization", "Bearer \(Credentials.bearer)")
                let others = [("Cookie", "session=cookie-secret"), ("tracestate", "vendor=state-secret")]
                var count = 0
                for url in urls {
                    for key in [Credentials.firstKey, Credentials.secondKey, Credentials.foreignKey] {
                        let target = Credentials.sign("/frame", [("url", url)], key: key)
                        try await service.request("GET", target, headers: others)
                        count += 1
                    }
                    let plain = "/frame?url=" + percentEncoded(url)
                    try await service.request("GET", plain, headers: others + [bearer])
                    let basic = ("Authorization", "Basic \(Credentials.bearer)")
                    try await service.request("GET", plain, headers: others + [basic])
                    try await service.request("GET", plain + "&signature=\(Credentials.firstKey)", headers: [bearer])
                    try await service.request("GET", "/frame/\(Credentials.firstKey)?token=\(Credentials.bearer)")
                    count += 4
                }
                let json = [bearer, ("Content-Type", "application/json")]
                try await service.request("POST", "/frame", headers: json, body: Array(#"{"url": "body-secret"#.utf8))
                try await service.request("POST", "/frame?quality=body-secret", headers: json, body: [])
                for junk in [
                    "GET /frame?signature=\(Credentials.firstKey) HTTP/1.1\r\nHost: a b\r\n\r\n",
                    "GET http://user:origin-password@h/ HTTP/1.1\r\nHost: h\r\n\r\n",
                    "BAD\u{1}\(Credentials.firstKey)\r\n\r\n",
                    "GET / HTTP/1.1\r\nHost: h\r\nAuthorization : Bearer \(Credentials.bearer)\r\n\r\n",
                ] {
                    let client = try service.client()
                    try await client.send(Array(junk.utf8))
                    #expect(try await client.reply().status == 400)
                }
                return count + 2
            }
        }
        let text = written.withLock { $0 }
        #expect(text.split(separator: "\n").count { $0.contains("request_id") } >= requests)
        #expect(text.contains("refused"))
        for secret in Self.secrets { #expect(!text.contains(secret), "\(secret)") }
    }

    @Test(arguments: LogFormat.allCases)
    func `untrusted text cannot forge a log line`(format: LogFormat) async throws {
        let lines = Mutex<[String]>([])
        var logger = Logger(label: "headroom") { label in
            LineLogHandler(label: label, format: format) { line in
                lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
            }
        }
        logger.logLevel = .trace
        var options = TestService.Options()
        options.logger = logger
        // Text from the origin is part of the logged reason.
        let responses = [
            "/a": TestOrigin.Response(status: .found, headers: [.location: "http://h/\u{9B}31m\u{202E}x y"])
        ]
        try await TestOrigin.running(responses) { origin in
            try await TestService.running(ScriptedDetector(), options) { service in
                for url in ["\(origin)/a", "http://a\r\nforged status=200", "http://h/\u{1B}[2J", "http://h/\u{7F}"] {
                    try await service.request("GET", "/frame?url=" + percentEncoded(url))
                }
                try await service.request("GET", "/%0Aforged", headers: [("X-Request-Id", "a\tforged")])
                try await service.request("GET", "/frame?url=%FF%C3", headers: [("traceparent", "forged")])
            }
        }
        let written = lines.withLock { $0 }
        #expect(written.count >= 6)
        for line in written {
            #expect(line.hasSuffix("\n") && !line.dropLast().contains { $0.isNewline })
            #expect(!line.contains("forged"))
            let kinds = Set(line.dropLast().unicodeScalars.map(\.properties.generalCategory))
            #expect(kinds.isDisjoint(with: [.control, .format]))
        }
    }
}
