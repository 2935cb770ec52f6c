import Cryptography
import Encodings
import Geometry
import HTTPServer
import HTTPTypes
import HeadroomAPI
import Imaging
import TestHTTP
import TestPacing
import Testing

/// Requests to a service that requires signatures.
@Suite(.limitedConcurrency) struct SignatureTests {
    private let blank: [UInt8]

    init() throws { blank = try Images.blankPNG.get() }

    private func options(_ access: AccessPolicy = Credentials.signing()) -> TestService.Options {
        var options = TestService.Options()
        options.access = access
        return options
    }

    /// Runs a service that requires signatures and an origin with `/a.png`; expects that only this path was requested.
    private func running(
        _ access: AccessPolicy = Credentials.signing(),
        _ body: @escaping @Sendable (TestService, String) async throws -> Void
    ) async throws {
        let responses = ["/a.png": TestOrigin.Response.file(blank)]
        try await TestService.running(ScriptedDetector(), options(access)) { service in
            try await TestOrigin.running(responses) { origin in try await body(service, origin + "/a.png") }
        }
    }

    @Test func `GET and HEAD accept a request signed with any of the keys`() async throws {
        try await running { service, url in
            for key in [Credentials.firstKey, Credentials.secondKey] {
                let target = Credentials.sign("/frame", [("url", url), ("width", "50")], key: key)
                let reply = try await service.request("GET", target)
                #expect(reply.status == 200, "\(reply.text)")
                #expect(try ImageHeader.read(reply.body).size.width == 50)
                #expect(try await service.request("HEAD", target).status == 200)
            }
            #expect(try await service.request("GET", Credentials.sign("/faces/1", [("url", url)])).status == 200)
        }
    }

    @Test func `the order and encoding of parameters do not affect the signature`() async throws {
        try await running { service, url in
            let signed = Credentials.sign(
                "/frame",
                [("url", url), ("aspect", "1:1"), ("padding", "0.2"), ("zoom", "")]
            )
            // An empty value is an error, but it is reported only to authorized clients.
            #expect(try await service.request("GET", signed).status == 400)
            let target = Credentials.sign("/frame", [("url", url), ("aspect", "1:1"), ("gravity", "point:0.5,0.5")])
            let signature = try #require(target.split(separator: "=").last)
            for query in [
                "signature=\(signature)&gravity=point:0.5,0.5&aspect=1:1&url=\(url)",
                "gravity=point%3a0.5%2c0.5&&url=\(url)&signature=\(signature)&aspect=1%3A1&",
                "%67ravity=%70oint:0.5,0.5&url=\(percentEncoded(url))&signature=\(signature.uppercased())&aspect=1:1",
            ] {
                let reply = try await service.request("GET", "/frame?\(query)")
                #expect(reply.status == 200, "\(query): \(reply.text)")
            }
        }
    }

    @Test func `a changed or unsigned request is rejected and starts no job`() async throws {
        let detector = ScriptedDetector()
        try await TestService.running(detector, options()) { service in
            let url = "http://127.0.0.1:9/never.png"
            let target = Credentials.sign("/frame", [("url", url), ("aspect", "1:1"), ("expires", "2000000")])
            let signature = String(target.suffix(64))
            let digits = signature.hasSuffix("0") ? "1" : "0"
            for changed in [
                // A missing, truncated or wrong signature.
                "/frame?url=\(url)", target.replacing("&signature=\(signature)", with: ""),
                target.replacing(signature, with: ""), target.replacing(signature, with: String(signature.dropLast())),
                target.replacing(signature, with: String(signature.dropLast()) + digits),
                target.replacing(signature, with: String(signature.dropLast(2))), "\(target)00",
                target.replacing(signature, with: String(repeating: "0", count: 64)),
                target.replacing(signature, with: String(repeating: "x", count: 64)),
                Credentials.sign("/frame", [("url", url)], key: Credentials.foreignKey),
                // A changed value, an added parameter, a removed parameter, a repeated parameter, an inserted byte.
                target.replacing("aspect=1%3A1", with: "aspect=1%3A2"), "\(target)&width=50",
                target.replacing("aspect=1%3A1&", with: ""), "\(target)&aspect=1:1",
                target.replacing("aspect=1%3A1", with: "aspect=1%3A1%26width%3D50"),
                target.replacing("never.png", with: "never.png%00"), target.replacing("never", with: "ever"),
                target.replacing("expires=2000000", with: "expires=3000000"),
                target.replacing("expires=2000000&", with: ""), target.replacing("1%3A1", with: "+1%3A1"),
                target.replacing("aspect=", with: "Aspect="),
                // Another path or method.
                target.replacing("/frame", with: "/faces"), target.replacing("/frame", with: "/faces/1"),
                Credentials.sign("/frame", [("url", url)], method: .post),
            ] {
                let reply = try await service.request("GET", changed)
                #expect(reply.status == 403, "\(changed): \(reply.text)")
                #expect(try JSONValue(json: reply.body)["type"] == "urn:headroom:problem:forbidden")
            }
            #expect(try await service.request("POST", target, body: [1]).status == 403)
            #expect(try await service.request("GET", "\(target)&signature=\(signature)").status == 400)
        }
        #expect(detector.calls == 0)
    }

    @Test func `a signature for another method is recognised, and the log has the expected text`() async throws {
        let log = LogRecorder()
        var options = options()
        options.log = log
        try await TestService.running(ScriptedDetector(), options) { [blank] service in
            let get = Credentials.sign("/frame", [("aspect", "1:1")])
            let posted = try await service.request("POST", get, body: blank)
            #expect(posted.status == 403)
            let forGet = "The signature was made for GET, but the request is a POST: sign the method that is sent."
            #expect(
                try JSONValue(json: posted.body)["detail"]
                    == .string("The signature is invalid for this request. \(forGet)")
            )
            let post = Credentials.sign("/frame", [("aspect", "1:1")], method: .post)
            let fetched = try await service.request("GET", post)
            #expect(fetched.status == 403 && fetched.text.contains("made for POST, but the request is a GET"))
            let url = "https://example.com/a.jpg?token=secret-token"
            let other = Credentials.sign(
                "/frame",
                [("url", url), ("X-Amz-Key", "secret-value")],
                key: Credentials.foreignKey
            )
            let refused = try await service.request("GET", other)
            #expect(refused.status == 403 && refused.text.contains("headroom sign --explain shows the text to sign."))
            #expect(!refused.text.contains("secret-token"))
            let lines = log.lines.filter { $0.contains("signature rejected") }
            #expect(lines.count == 3)
            #expect(lines[0].hasPrefix("debug ") && lines[0].contains("expected=POST /frame?aspect=1%3A1 "))
            #expect(lines[2].contains("expected=GET /frame?X-Amz-Key=…&url=https%3A%2F%2Fexample.com%2Fa.jpg%3F…"))
            #expect(!log.lines.contains { $0.contains("secret-") })
        }
    }

    @Test func `a signature is valid until the end of the second in which it expires`() async throws {
        for (now, status) in [(1999, 200), (2000, 200), (2001, 403)] {
            try await running(Credentials.signing { now }) { service, url in
                let reply = try await service.request(
                    "GET",
                    Credentials.sign("/frame", [("url", url), ("expires", "2000")])
                )
                #expect(reply.status == status)
                if status == 403 { #expect(reply.text.contains("expired")) }
            }
        }
    }

    @Test(arguments: [
        ("expires", "soon"), ("expires", "-1"), ("expires", ""), ("expires", "1.5"), ("expires", "1767225600000"),
        ("expires", "99999999999999999999"), ("maxUpload", "1"), ("digest", String(repeating: "0", count: 64)),
    ])
    func `invalid limits are reported to a client with a valid signature`(name: String, value: String) async throws {
        try await running { service, url in
            let reply = try await service.request("GET", Credentials.sign("/frame", [("url", url), (name, value)]))
            #expect(reply.status == 400)
            #expect(try JSONValue(json: reply.body)["errors"][0]["parameter"] == .string(name))
        }
    }

    @Test func `a signed upload is accepted within its size limit and with its digest`() async throws {
        let digest = Hexadecimal.text(SHA256.digest(of: blank))
        try await running { [blank] service, _ in
            for (limits, body, status) in [
                ([], blank, 200), ([("maxUpload", "\(blank.count)")], blank, 200),
                ([("maxUpload", "\(blank.count - 1)")], blank, 413), ([("maxUpload", "0")], blank, 413),
                ([("digest", digest)], blank, 200), ([("digest", digest.uppercased())], blank, 200),
                ([("digest", digest)], blank + [0], 403), ([("digest", digest)], Array(blank.dropLast()), 403),
                ([("digest", digest)], [], 403), ([("digest", "abc")], blank, 400), ([("maxUpload", "x")], blank, 400),
            ] as [([(name: String, value: String)], [UInt8], Int)] {
                let target = Credentials.sign("/frame", [("aspect", "1:1")] + limits, method: .post)
                let reply = try await service.request("POST", target, body: body)
                #expect(reply.status == status, "\(target): \(reply.text)")
                // The signature is not valid for GET.
                #expect(try await service.request("GET", target).status == 403)
            }
        }
    }

    @Test func `the size limit applies to a chunked body`() async throws {
        try await running { [blank] service, _ in
            let target = Credentials.sign("/frame", [("maxUpload", "10")], method: .post)
            let client = try service.client()
            try await client.send(
                Array("POST \(target) HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
            )
            let size = String(blank.count, radix: 16)
            try await client.send(Array("\(size)\r\n".utf8) + blank + Array("\r\n0\r\n\r\n".utf8))
            #expect(try await client.reply().status == 413)
        }
    }

    @Test func `an unsigned body cannot add parameters`() async throws {
        try await running { [blank] service, url in
            let object = Array("{\"url\": \"\(url)\"}".utf8)
            let json = [("Content-Type", "application/json")]
            let form = Array("--b\r\nContent-Disposition: form-data; name=\"image\"\r\n\r\n".utf8) + blank
            let formType = [("Content-Type", "multipart/form-data; boundary=b")]
            let field = Array("\r\n--b\r\nContent-Disposition: form-data; name=\"width\"\r\n\r\n50".utf8)
            let end = Array("\r\n--b--\r\n".utf8)
            for (headers, body, status) in [
                (json, object, 403), (formType, form + field + end, 403), (formType, form + end, 200),
            ] {
                let open = Credentials.sign("/frame", [("aspect", "1:1")], method: .post)
                let opened = try await service.request("POST", open, headers: headers, body: body)
                #expect(opened.status == status)
                let limits = [("aspect", "1:1"), ("digest", Hexadecimal.text(SHA256.digest(of: body)))]
                let closed = Credentials.sign("/frame", limits, method: .post)
                let closedReply = try await service.request("POST", closed, headers: headers, body: body)
                #expect(closedReply.status == 200)
            }
        }
    }

    @Test func `a body that will be rejected is rejected before the client sends it`() async throws {
        try await running { service, _ in
            for (target, status) in [
                ("/frame", 403), (Credentials.sign("/frame", [("maxUpload", "999")], method: .post), 413),
                (Credentials.sign("/frame", [("maxUpload", "1000")], method: .post), 100),
            ] {
                let client = try service.client()
                let fields = "Expect: 100-continue\r\nContent-Length: 1000\r\n"
                try await client.send(Array("POST \(target) HTTP/1.1\r\nHost: h\r\n\(fields)\r\n".utf8))
                #expect(try await client.reply().status == status)
            }
        }
    }

    @Test func `the URLs in markup are signed and expire with the request`() async throws {
        try await running { service, url in
            for expiry in [[], [(name: "expires", value: "1000060")]] {
                let parameters = [("format", "html"), ("aspect", "16:9,1:1"), ("url", "\(url)?x=1&y='2'")] + expiry
                let html = try await service.request("GET", Credentials.sign("/frame", parameters)).text
                let addresses = html.split(separator: "\"").filter { $0.contains("/frame?") }
                    .flatMap { $0.split(separator: ",").map { String($0.split(separator: " ")[0]) } }
                    .map { $0.replacing("&amp;", with: "&") }
                #expect(addresses.count >= 3)
                for address in addresses {
                    #expect(try await service.request("GET", address).status == 200, "\(address)")
                    #expect(address.contains("&expires=1000060&") == !expiry.isEmpty)
                }
            }
        }
    }

    @Test func `max-age does not exceed the remaining lifetime of the signature`() async throws {
        try await running { service, url in
            for (expires, age) in [("1000060", "60"), ("1000000", "0"), ("9000000", "8000000")] {
                let target = Credentials.sign("/frame", [("url", url), ("expires", expires)])
                let reply = try await service.request("GET", target)
                #expect(reply["Cache-Control"] == "public, max-age=\(age), immutable")
            }
        }
    }

    @Test func `without keys a signature is neither required nor checked`() async throws {
        try await running(AccessPolicy()) { service, url in
            let target = Credentials.sign("/frame", [("url", url), ("expires", "1")], key: Credentials.foreignKey)
            let reply = try await service.request("GET", target)
            #expect(reply.status == 200)
        }
    }

    @Test func `health, metrics and documentation routes need no signature`() async throws {
        try await running { service, _ in
            for path in ["/healthz", "/readyz", "/openapi.yaml"] {
                let reply = try await service.request("GET", path)
                #expect(reply.status == 200)
            }
            let options = try await service.request("OPTIONS", "/frame")
            #expect(options.status == 204)
            let nothing = try await service.request("GET", "/nothing")
            #expect(nothing.status == 404)
            let deletion = try await service.request("DELETE", "/frame")
            #expect(deletion.status == 405)
        }
    }

    @Test func `the log contains the number of the key, but no secret and no signature`() async throws {
        let log = LogRecorder()
        var options = options()
        options.access.bearerSecrets = Credentials.list(Credentials.bearer)
        options.log = log
        let responses = ["/a.png": TestOrigin.Response.file(blank)]
        try await TestService.running(ScriptedDetector(), options) { service in
            try await TestOrigin.running(responses) { origin in
                for key in [Credentials.secondKey, Credentials.foreignKey] {
                    for path in ["/a.png", "/missing"] {
                        let target = Credentials.sign("/frame", [("url", origin + path)], key: key)
                        try await service.request("GET", target)
                        try await service.request("POST", target, body: [1])
                    }
                }
                for token in [Credentials.bearer, Credentials.foreignKey] {
                    let headers = [("Authorization", "Bearer \(token)")]
                    try await service.request("GET", "/frame?url=\(origin)/a.png", headers: headers)
                }
            }
        }
        let all = log.lines.joined(separator: "\n")
        #expect(log.lines.contains { $0.contains(" key=2 ") })
        #expect(log.lines.contains { $0.contains(" bearer=1 ") })
        for secret in [Credentials.firstKey, Credentials.secondKey, Credentials.foreignKey, Credentials.bearer] {
            #expect(!all.contains(secret))
        }
        #expect(!all.contains("signature="))
    }
}
