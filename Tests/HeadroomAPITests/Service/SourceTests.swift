import Fetching
import Geometry
import Glibc
import HTTPServer
import HTTPTypes
import Imaging
import Synchronization
import TestHTTP
import TestPacing
import Testing

/// The sources of an image and its parameters.
@Suite(.limitedConcurrency) struct SourceTests {
    private let blank: [UInt8]

    init() throws { blank = try Images.blankPNG.get() }

    private func form(_ fields: [(name: String, content: [UInt8])]) -> (headers: [(String, String)], body: [UInt8]) {
        var body: [UInt8] = []
        for (name, content) in fields {
            body += Array("--b0undary\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n".utf8) + content
            body += Array("\r\n".utf8)
        }
        return ([("Content-Type", "multipart/form-data; boundary=b0undary")], body + Array("--b0undary--\r\n".utf8))
    }

    private let json = [("Content-Type", "application/json")]

    @Test func `a body, a form, an object and a URL yield the same image`() async throws {
        let responses = ["/a.png": TestOrigin.Response.file(blank)]
        try await TestService.running { [blank] service in
            try await TestOrigin.running(responses) { origin in
                let query = "/frame?aspect=1:1&width=50"
                let raw = try await service.request("POST", query, body: blank)
                #expect(try ImageHeader.read(raw.body).size.width == 50)
                let form = form([("aspect", Array("1:1".utf8)), ("image", blank), ("width", Array("50".utf8))])
                let posted = try await service.request("POST", "/frame", headers: form.headers, body: form.body)
                #expect(posted.body == raw.body)
                let object = "{\"url\": \"\(origin)/a.png\", \"aspect\": 1, \"width\": 50, \"enlarge\": false}"
                let fetched = try await service.request("POST", "/frame", headers: json, body: Array(object.utf8))
                #expect(fetched.body == raw.body)
                let url = query + "&url=" + percentEncoded(origin + "/a.png")
                let got = try await service.request("GET", url)
                #expect(got.body == raw.body)
                #expect(got["Server-Timing"]?.contains("fetch;dur=") == true)
                let stages = got["Server-Timing"]?.split(separator: ", ") ?? []
                #expect(stages.count == 6 && stages.allSatisfy { $0.contains(/^[a-z]+;dur=[0-9.]+;desc="[a-z ]+"$/) })
                #expect(raw["Server-Timing"]?.contains("fetch") == false)
                let urlForm = self.form([("url", Array("\(origin)/a.png".utf8))])
                let fromForm = try await service.request("POST", query, headers: urlForm.headers, body: urlForm.body)
                #expect(fromForm.body == raw.body)
            }
        }
    }

    @Test func `errors for a replaced URL do not name its origin, and its signature covers the original text`()
        async throws
    {
        let responses = ["/photos/a.png": TestOrigin.Response.file(blank)]
        try await TestOrigin.running(responses) { origin in
            var options = TestService.Options()
            options.access = Credentials.signing()
            options.rewrites = try #require(SourceRewrites("mine://=\(origin)/photos/"))
            try await TestService.running(ScriptedDetector(), options) { service in
                let target = Credentials.sign("/frame", [("url", "mine://a.png")])
                let reply = try await service.request("GET", target)
                #expect(reply.status == 200, "\(reply.text)")
                #expect(reply["Link"] == nil)
                #expect(reply["Cache-Tag"]?.wholeMatch(of: /source-[0-9a-f]{16}/) != nil)
                let other = target.replacing("mine", with: "Mine")
                #expect(try await service.request("GET", other).status == 403)
                let full = Credentials.sign("/frame", [("url", "\(origin)/photos/a.png")])
                #expect(try await service.request("GET", full)["Link"] != nil)
            }
        }
    }

    @Test func `an encrypted URL is fetched, and no response contains a part of it`() async throws {
        let responses = ["/photos/a.png": TestOrigin.Response.file(blank)]
        try await TestOrigin.running(responses) { origin in
            let cipher = try #require(URLCipher(keys: [[UInt8](repeating: 5, count: 32)]))
            var options = TestService.Options()
            options.cipher = cipher
            try await TestService.running(ScriptedDetector(), options) { service in
                func get(_ url: String) async throws -> TestClient.Reply {
                    try await service.request("GET", "/frame?url=\(percentEncoded(url))")
                }
                let text = try #require(cipher.sealed("\(origin)/photos/a.png"))
                let reply = try await get(text)
                #expect(reply.status == 200, "\(reply.text)")
                #expect(reply["Link"] == nil)
                #expect(reply["Cache-Tag"]?.wholeMatch(of: /source-[0-9a-f]{16}/) != nil)
                let wrong = try await get("\(text.dropLast(4))AAAA")
                let unreadable = try await get(try #require(cipher.sealed("ftp://example.com/")))
                let missing = try await get(try #require(cipher.sealed("\(origin)/photos/b.png")))
                for reply in [wrong, unreadable, missing] {
                    #expect(reply.status == 404)
                    #expect(try JSONValue(json: reply.body)["detail"] == "No image found at this URL.")
                }
                #expect(wrong.body == unreadable.body)
            }
        }
    }

    @Test func `HEAD gets the headers of GET and no body`() async throws {
        let responses = ["/a.png": TestOrigin.Response.file(blank)]
        try await TestService.running { service in
            try await TestOrigin.running(responses) { origin in
                let url = percentEncoded(origin + "/a.png")
                for target in ["/frame?width=9&url=\(url)", "/faces?url=\(url)", "/frame?zoom=2", "/healthz", "/no"] {
                    let name = [("X-Request-Id", "1")]
                    let got = try await service.request("GET", target, headers: name)
                    let head = try await service.request("HEAD", target, headers: name)
                    #expect(head.status == got.status)
                    #expect(head.body.isEmpty)
                    // Durations differ, and so does the length of a JSON body.
                    let varying: Set<String> =
                        target.hasPrefix("/faces")
                        ? ["Server-Timing", "Date", "Content-Length"] : ["Server-Timing", "Date"]
                    let pick = { (reply: TestClient.Reply) in
                        reply.headers.filter { !varying.contains($0.name) }.map { "\($0.name): \($0.value)" }
                    }
                    #expect(pick(head) == pick(got))
                }
            }
        }
    }

    @Test(arguments: ["image/jpeg", "application/octet-stream", "application/x-www-form-urlencoded", "text/plain", ""])
    func `the bytes determine the format, and the declared type does not`(type: String) async throws {
        try await TestService.running { [blank] service in
            let reply = try await service.request(
                "POST",
                "/frame",
                headers: type.isEmpty ? [] : [("Content-Type", type)],
                body: blank
            )
            #expect(reply["Content-Type"] == "image/png")
        }
    }

    @Test func `an origin's failures are reported without its address`() async throws {
        let responses: [String: TestOrigin.Response] = [
            "/gone": TestOrigin.Response(status: .gone),
            "/secret": TestOrigin.Response(status: .forbidden),
            "/broken": TestOrigin.Response(status: .internalServerError),
            "/page": .file(Array("<html></html>".utf8)),
            "/cut": .file(Array(blank.prefix(60))),
            "/huge": .file(Array(repeating: 0, count: 300_000)),
            "/loop": TestOrigin.Response(status: .found, headers: [.location: "/loop"]),
        ]
        var options = TestService.Options()
        options.maxBodyBytes = 200_000
        try await TestService.running(ScriptedDetector(), options) { service in
            try await TestOrigin.running(responses) { origin in
                for (path, status, kind) in [
                    ("/missing", 404, "source-not-found"), ("/gone", 404, "source-not-found"),
                    ("/secret", 502, "source-failed"), ("/broken", 502, "source-failed"),
                    ("/page", 415, "unsupported-image"), ("/cut", 422, "unreadable-image"),
                    ("/huge", 422, "too-large"), ("/loop", 502, "source-failed"),
                ] {
                    let reply = try await service.request("GET", "/frame?url=" + percentEncoded(origin + path))
                    #expect(reply.status == status, "\(path)")
                    #expect(try JSONValue(json: reply.body)["type"] == .string("urn:headroom:problem:\(kind)"))
                    #expect(!reply.text.contains("127.0.0.1"))
                }
            }
        }
    }

    @Test func `an origin's Retry-After is passed on, and the origin gets no request before that time`() async throws {
        let origin = TestOrigin { _ in
            TestOrigin.Response(status: .tooManyRequests, headers: [.retryAfter: "40"])
        }
        try await TestService.running(ScriptedDetector()) { service in
            try await origin.running { address in
                for path in ["/a.png", "/b.png"] {
                    let reply = try await service.request("GET", "/frame?url=" + percentEncoded(address + path))
                    #expect(reply.status == 503)
                    #expect(try (1...40).contains(#require(reply["Retry-After"].flatMap { Int($0) })))
                    #expect(reply["Cache-Control"] == "no-store")
                    #expect(try JSONValue(json: reply.body)["type"] == "urn:headroom:problem:source-failed")
                }
            }
        }
        #expect(origin.requests.count == 1)
    }

    @Test func `an empty response counts as a failure of the origin, and an unknown coding is named`() async throws {
        let responses: [String: TestOrigin.Response] = [
            "/empty": .file([]),
            "/coded": .init(status: .ok, headers: [.contentEncoding: "compress"], body: Array("<html></html>".utf8)),
        ]
        try await TestService.running(ScriptedDetector()) { service in
            try await TestOrigin.running(responses) { origin in
                let empty = try await service.request("GET", "/frame?url=" + percentEncoded(origin + "/empty"))
                #expect(empty.status == 502)
                let coded = try await service.request("GET", "/frame?url=" + percentEncoded(origin + "/coded"))
                #expect(coded.status == 502)
                #expect(coded.text.contains("compress"))
            }
        }
    }

    @Test(arguments: [
        "aws-chunked", "utf-8", "binary", "base64", "none", "image/png", "", "aws-chunked,gzip", "br",
    ])
    func `a plain image is served regardless of the encoding that its origin declares`(encoding: String) async throws {
        let response = TestOrigin.Response(status: .ok, headers: [.contentEncoding: encoding], body: blank)
        try await TestService.running(ScriptedDetector()) { service in
            try await TestOrigin.running(["/a b.png": response, "/a%20b.png": response]) { origin in
                let url = "\(origin.replacing("http://", with: "http:/"))/a b.png"
                let reply = try await service.request("GET", "/frame?url=" + percentEncoded(url))
                #expect(reply.status == 200)
            }
        }
    }

    @Test func `a silent origin gives 504 after the fetch timeout`() async throws {
        var options = TestService.Options()
        options.fetchTimeout = .milliseconds(1)
        try await TestService.running(ScriptedDetector(), options) { service in
            try await TestOrigin.running([:]) { origin in
                let reply = try await service.request("GET", "/faces?url=" + percentEncoded(origin + "/silence"))
                #expect(reply.status == 504)
                #expect(try JSONValue(json: reply.body)["type"] == "urn:headroom:problem:source-failed")
            }
        }
    }

    @Test func `the log contains the host of each source, even after a timeout, but no query`() async throws {
        let log = LogRecorder()
        var options = TestService.Options()
        options.log = log
        options.fetchTimeout = .seconds(2)
        options.names = NameLookup { _ in EAI_AGAIN }
        try await TestService.running(ScriptedDetector(), options) { service in
            try await TestOrigin.running(["/a.png": .file(blank)]) { origin in
                let place = origin.dropFirst("http://".count)
                for (query, failure) in [
                    ("url=\(percentEncoded("\(origin)/a.png?key=hidden"))", nil),
                    ("url=\(percentEncoded("\(origin)/silence?key=hidden"))", "timeout: header"),
                    ("url=\(percentEncoded("http://\(UnknownHost.name)/a?key=hidden"))", "the name server failed"),
                    (
                        "url=\(percentEncoded("\(origin)/a.png"))&chromaKey=00ff00"
                            + "&backdropUrl=\(percentEncoded("http://\(UnknownHost.name)/b?key=hidden"))",
                        "the name server failed"
                    ),
                ] as [(String, String?)] {
                    try await service.request("GET", "/frame?\(query)")
                    let line = try #require(log.lines.last { $0.hasPrefix("info request ") })
                    let host = failure?.contains("name server") == true ? Substring(UnknownHost.name) : place
                    #expect(line.contains(" host=\(host) "))
                    #expect(line.contains("failure=") == (failure != nil))
                    if let failure { #expect(line.contains("failure=\(failure)")) }
                }
            }
        }
        #expect(!log.lines.contains { $0.contains("hidden") })
    }

    @Test func `a failed name lookup is a failure of the source, and no cache stores it`() async throws {
        var options = TestService.Options()
        options.names = NameLookup { _ in EAI_AGAIN }
        try await TestService.running(ScriptedDetector(), options) { service in
            let url = percentEncoded("http://\(UnknownHost.name)/a.jpg")
            let reply = try await service.request("GET", "/frame?url=\(url)")
            #expect(reply.status == 502)
            #expect(reply["Cache-Control"] == "no-store")
            #expect(reply["Cache-Tag"] == nil)
            #expect(try JSONValue(json: reply.body)["type"] == "urn:headroom:problem:source-failed")
        }
    }

    @Test func `a fetch beyond the waiting list is rejected at once, and uploads are still served`() async throws {
        var options = TestService.Options()
        options.fetchSlots = 1
        options.fetchWaitingLimit = 0
        try await TestService.running(ScriptedDetector(), options) { [blank] service in
            let isSilent = Atomic(false)
            let origin = ["/a.png": TestOrigin.Response.file(blank)]
            try await TestOrigin.running(origin, onSilence: { isSilent.store(true, ordering: .relaxed) }) { origin in
                let silent = try service.client()
                try await silent.send("GET", "/frame?url=" + percentEncoded(origin + "/silence"))
                let target = "/frame?url=" + percentEncoded(origin + "/a.png")
                // The other request must not be sent before the silent request has the slot; otherwise the silent
                // request would be rejected.
                #expect(await eventually { isSilent.load(ordering: .relaxed) })
                let refused = try await service.request("GET", target)
                #expect(refused["Retry-After"] == "1")
                #expect(try JSONValue(json: refused.body)["type"] == "urn:headroom:problem:fetch-overloaded")
                #expect(try await service.request("POST", "/frame", body: blank).status == 200)
                // The slot is free after its client has disconnected.
                try await silent.reset()
                #expect(try await eventually { try await service.request("GET", target).status == 200 })
            }
        }
    }

    @Test func `a blocked address gets the same response as a missing image`() async throws {
        let responses = ["/a.png": TestOrigin.Response.file(blank)]
        let missing = try await TestService.running { service in
            try await TestOrigin.running([:]) { origin in
                // A client behind a proxy does not receive the cause.
                let proxied = [("X-Forwarded-For", "203.0.113.1")]
                return try await service.request(
                    "GET",
                    "/frame?url=" + percentEncoded(origin + "/a.png"),
                    headers: proxied
                )
            }
        }
        var options = TestService.Options()
        options.allowsPrivateSources = false
        try await TestService.running(ScriptedDetector(), options) { service in
            try await TestOrigin.running(responses) { origin in
                let urls = ["\(origin)/a.png", "http://127.0.0.1/", "http://[::1]/", "http://169.254.169.254/latest"]
                for url in urls {
                    // A client on this host gets an additional sentence, which depends only on the configuration.
                    let proxied = [("X-Forwarded-For", "203.0.113.1")]
                    let target = "/frame?url=" + percentEncoded(url)
                    let blocked = try await service.request("GET", target, headers: proxied)
                    #expect(blocked.status == 404)
                    #expect(blocked.body == missing.body)
                }
            }
        }
    }

    @Test(arguments: ["a.jpg", "ftp://example.com/", "http://", "http://user:pass@example.com/", "http://a b/", ""])
    func `an invalid url is an invalid parameter`(url: String) async throws {
        try await TestService.running { service in
            let reply = try await service.request("GET", "/frame?url=" + percentEncoded(url))
            #expect(reply.status == 400)
            let error = try JSONValue(json: reply.body)["errors"][0]
            #expect(error["parameter"] == "url")
            #expect(error["received"] == .string(url))
        }
    }

    @Test func `a request needs either an image or a URL`() async throws {
        try await TestService.running { [blank] service in
            for (method, target, body) in [
                ("POST", "/frame?url=http%3A%2F%2Fexample.com%2F", blank), ("POST", "/frame", []),
                ("GET", "/frame", []),
                ("POST", "/faces", []), ("GET", "/faces/1", []),
            ] {
                let reply = try await service.request(method, target, body: body)
                #expect(reply.status == 400)
                #expect(try JSONValue(json: reply.body)["errors"][0]["parameter"] == "url")
            }
        }
    }

    @Test(arguments: [
        "", "[]", "\"url\"", "{", "{\"url\": [[1]]}", "{\"url\": {\"a\": 1}}", "{\"url\": nul}", "\u{0}",
        "{\"a\": 1}{}",
        String(repeating: "[", count: 10_000),
    ])
    func `a body that is not a parameter object is rejected`(body: String) async throws {
        try await TestService.running { service in
            let reply = try await service.request("POST", "/frame", headers: json, body: Array(body.utf8))
            #expect(reply.status == 400)
            #expect(try JSONValue(json: reply.body)["type"] == "urn:headroom:problem:invalid-request")
        }
    }

    @Test func `a parameter object has limits for members and bytes`() async throws {
        try await TestService.running { service in
            let many = (0..<65).map { "\"name\($0)\": 1" }.joined(separator: ",")
            let refused = try await service.request("POST", "/frame", headers: json, body: Array("{\(many)}".utf8))
            #expect(refused.status == 400)
            let long = "{\"url\": \"\(String(repeating: "x", count: 70_000))\"}"
            let tooLarge = try await service.request("POST", "/frame", headers: json, body: Array(long.utf8))
            #expect(tooLarge.status == 413)
        }
    }

    @Test func `a malformed form is rejected`() async throws {
        try await TestService.running { [blank] service in
            let twice = form([("image", blank), ("image", blank)])
            let open = form([("image", blank)])
            let notText = form([("image", blank), ("aspect", [0xFF, 0xFE])])
            for (headers, body, kind) in [
                (twice.headers, twice.body, "invalid-request"),
                (open.headers, Array(open.body.dropLast(4)), "invalid-request"),
                ([("Content-Type", "multipart/form-data")], open.body, "invalid-request"),
                (notText.headers, notText.body, "invalid-parameter"),
            ] {
                let reply = try await service.request("POST", "/frame", headers: headers, body: body)
                #expect(reply.status == 400)
                #expect(try JSONValue(json: reply.body)["type"] == .string("urn:headroom:problem:\(kind)"))
            }
        }
    }

    @Test func `a problem does not repeat a long value in full`() async throws {
        try await TestService.running { [blank] service in
            let form = form([("image", blank), ("aspect", Array(repeating: UInt8(ascii: "1"), count: 1_000_000))])
            let reply = try await service.request("POST", "/frame", headers: form.headers, body: form.body)
            #expect(reply.status == 400)
            #expect(reply.body.count < 2000)
        }
    }

    @Test(arguments: ["e\u{301}", "a\u{200D}", "🙂", "\u{1F1E6}"])
    func `a repeated value is truncated by bytes, because a grapheme may have many combining marks`(
        text: String
    ) async throws {
        let mark = String(text.unicodeScalars.last ?? "x")
        let long = String(text.unicodeScalars.first ?? "x") + String(repeating: mark, count: 500_000)
        try await TestService.running { [blank] service in
            let form = form([("image", blank), ("aspect", Array(long.utf8)), ("url", Array(long.utf8))])
            let reply = try await service.request("POST", "/frame", headers: form.headers, body: form.body)
            #expect(reply.status == 400)
            #expect(reply.body.count < 4000)
            let received = try JSONValue(json: reply.body)["errors"][0]["received"].string ?? ""
            #expect(received.hasSuffix("…") && long.utf8.starts(with: received.dropLast().utf8))
            #expect((97...100).contains(received.unicodeScalars.dropLast().reduce(0) { $0 + UTF8.width($1) }))
        }
    }

    @Test func `names, paths and methods are truncated like values`() async throws {
        try await TestService.running { service in
            let name = "a" + String(repeating: "\u{301}", count: 30_000)
            let object = Array("{\"\(name)\": 1}".utf8)
            let unknown = try await service.request("POST", "/frame", headers: json, body: object)
            #expect(unknown.status == 400 && unknown.body.count < 2000)
            let path = try await service.request("GET", "/" + String(repeating: "x", count: 7000))
            #expect(path.status == 404 && path.body.count < 500)
            let method = try await service.request(String(repeating: "X", count: 7000), "/frame")
            #expect(method.status == 501 && method.body.count < 500)
        }
    }
}
