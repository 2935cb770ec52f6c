import Addresses
import Fetching
import HTTPServer
import HTTPTypes
import HeadroomAPI
import Requests
import TestHTTP
import TestPacing
import Testing

/// A service below a path prefix.
@Suite(.limitedConcurrency) struct PathPrefixTests {
    @Test func `only plain absolute paths are valid prefixes`() {
        let longest = "/" + String(repeating: "a", count: 255)
        for text in ["/img", "/a/b", "/A-1._~/x", "/...", "/.a", longest] {
            #expect(PathPrefix(text)?.description == text)
        }
        for text in [
            "", "/", "img", "/img/", "//img", "/a//b", "/.", "/..", "/a/../b", "/a/.", "/a b", "/a%41", "/a?b", "/a#b",
            "/a:b", "/é", "/e\u{301}", "/a\u{0}", "/a\n", "http://a/b", longest + "a",
        ] {
            #expect(PathPrefix(text) == nil, "\(text)")
        }
    }

    @Test func `the prefix is removed from a request's path, and health and metrics need no prefix`() throws {
        let prefix = try #require(PathPrefix("/img"))
        func inner(_ target: String) -> String? {
            prefix.removed(from: ServerRequest(method: .get, target: target))?.target
        }
        for (target, expected) in [
            ("/img/", "/"), ("/img/frame?url=/img/a", "/frame?url=/img/a"), ("/img/img/frame", "/img/frame"),
            ("/img//frame", "//frame"), ("/img/healthz", "/healthz"), ("/healthz", "/healthz"),
            ("/readyz?x", "/readyz?x"), ("/metrics", "/metrics"),
        ] {
            #expect(inner(target) == expected, "\(target)")
        }
        for target in [
            "/", "/img", "/img?x", "/images/frame", "/frame", "/Img/frame", "/%69mg/frame", "//img/frame",
            "/img\u{301}/frame", "/openapi.yaml", "/faces", "*",
        ] {
            #expect(inner(target) == nil, "\(target)")
        }
    }

    /// Runs a service below `/a/img`, and an origin with `/a.png`.
    private func running(
        access: AccessPolicy = AccessPolicy(),
        caches: CacheConfiguration = .none,
        _ body: @escaping @Sendable (PlainClient, String) async throws -> Void
    ) async throws {
        var options = TestService.Options()
        (options.access, options.caches) = (access, caches)
        options.urlFormats.names = [.thumbor]
        options.pathPrefix = PathPrefix("/a/img")
        let responses = ["/a.png": TestOrigin.Response.file(try Images.blankPNG.get())]
        try await TestService.running(ScriptedDetector(), options) { service in
            try await TestOrigin.running(responses) { origin in
                try await body(PlainClient(service: service), origin + "/a.png")
            }
        }
    }

    /// Requests that are not compared with the API description, which contains paths without a prefix.
    struct PlainClient: Sendable {
        let service: TestService

        func request(
            _ method: String,
            _ target: String,
            headers: [(String, String)] = [],
            body: [UInt8] = []
        ) async throws -> TestClient.Reply {
            let client = try service.client()
            try await client.send(method, target, headers: headers, body: body)
            return try await client.reply(toHead: method == "HEAD")
        }
    }

    @Test func `all routes are below the prefix`() async throws {
        try await running { client, url in
            for target in [
                "/frame?url=\(url)", "/faces?url=\(url)", "/preset/avatar?url=\(url)", "/thumbor/unsafe/50x/\(url)",
                "/", "/playground/app.js", "/openapi.yaml", "/healthz", "/readyz", "/metrics",
            ] {
                let reply = try await client.request("GET", "/a/img\(target)")
                #expect(reply.status == 200, "\(target): \(reply.text)")
                let bare = try await client.request("GET", target)
                let isOpen = ["/healthz", "/readyz", "/metrics"].contains(target)
                #expect(bare.status == (isOpen ? 200 : 404), "\(target)")
                if !isOpen { #expect(bare.text.contains("All routes are below /a/img/."), "\(bare.text)") }
            }
            let blank = try Images.blankPNG.get()
            #expect(try await client.request("POST", "/a/img/frame", body: blank).status == 200)
            #expect(try await client.request("POST", "/frame", body: blank).status == 404)
            #expect(try await client.request("OPTIONS", "/a/img/frame").status == 204)
            let unknown = try await client.request("GET", "/a/img/nothing")
            #expect(unknown.status == 404 && unknown.text.contains("below /a/img."), "\(unknown.text)")
            #expect(try await client.request("BREW", "/a/img").status == 501)
        }
    }

    @Test func `the prefix alone redirects to the page below it`() async throws {
        try await running { client, _ in
            for (target, address) in [("/a/img", "img/"), ("/a/img?x=1", "img/?x=1")] {
                let reply = try await client.request("GET", target)
                #expect(reply.status == 308 && reply["Location"] == address && reply.body.isEmpty)
            }
            #expect(try await client.request("GET", "/a").status == 404)
        }
    }

    @Test func `signatures do not cover the prefix, and links contain signature and prefix`() async throws {
        try await running(access: Credentials.signing()) { client, url in
            let target = Credentials.sign("/frame", [("url", url), ("format", "html")])
            let reply = try await client.request("GET", "/a/img\(target)")
            #expect(reply.status == 200, "\(reply.text)")
            #expect(try await client.request("GET", target).status == 404)
            let covering = Credentials.sign("/a/img/frame", [("url", url)])
            #expect(try await client.request("GET", covering).status == 403)
            let address = try #require(reply.text.firstMatch(of: /src="([^"]+)"/)).output.1
            #expect(address.hasPrefix("/a/img/frame?"))
            let link = String(address.replacing("&amp;", with: "&"))
            #expect(try await client.request("GET", link).status == 200)
        }
    }

    @Test func `markup for other hosts contains the public URL`() async throws {
        let image = try Images.singleJPEG.get()
        let origin = TestOrigin { _ in .file(image) }
        var options = TestService.Options()
        options.publicURL = "https://img.example.com/a"
        options.access = Credentials.signing()
        try await TestService.running(ScriptedDetector(), options) { service in
            try await origin.running { address in
                let target = Credentials.sign(
                    "/frame",
                    [("url", address + "/a.jpg"), ("format", "html"), ("aspect", "1:1,3:2")]
                )
                let reply = try await service.request("GET", target)
                #expect(reply.status == 200, "\(reply.text)")
                let addresses = reply.text.matches(of: /(?:src="|srcset="|, )([^" ]+)/).map { String($0.output.1) }
                #expect(addresses.count > 3)
                for address in addresses {
                    #expect(address.hasPrefix("https://img.example.com/a/frame?"))
                    // The signature does not cover the public URL.
                    let path = String(address.dropFirst("https://img.example.com/a".count)).replacing(
                        "&amp;",
                        with: "&"
                    )
                    #expect(try await service.request("GET", path).status == 200)
                }
            }
        }
    }

    @Test func `a cached response is found, and its entity tag does not depend on the prefix`() async throws {
        let plain = try #require(try await tag(below: nil, "format=webp"))
        #expect(try await tag(below: "/img", "format=webp") == plain)
        // The markup contains it.
        let markup = try #require(try await tag(below: nil, "format=html"))
        #expect(try await tag(below: "/img", "format=html") != markup)
        try await running(caches: CacheConfiguration()) { client, url in
            for _ in 1...3 {
                let reply = try await client.request("GET", "/a/img/frame?url=\(url)&format=webp")
                #expect(reply.status == 200)
                let known = [("If-None-Match", reply["ETag"] ?? "")]
                let again = try await client.request("GET", "/a/img/frame?url=\(url)&format=webp", headers: known)
                #expect(again.status == 304)
                #expect(try await client.request("GET", "/frame?url=\(url)&format=webp").status == 404)
            }
        }
    }

    private func tag(below prefix: String?, _ query: String) async throws -> String? {
        let responses = ["/a.png": TestOrigin.Response.file(try Images.blankPNG.get())]
        return try await TestOrigin.running(responses) { origin in
            var options = TestService.Options()
            options.pathPrefix = prefix.flatMap { PathPrefix($0) }
            // Markup contains the URL of the source, which is the same for all services.
            options.base = try BaseURL(origin)
            return try await TestService.running(ScriptedDetector(), options) { service in
                let client = PlainClient(service: service)
                return try await client.request("GET", "\(prefix ?? "")/frame?url=a.png&\(query)")["ETag"]
            }
        }
    }

    @Test func `the API's description names the prefix as its server`() async throws {
        try await running { client, _ in
            let reply = try await client.request("GET", "/a/img/openapi.yaml")
            #expect(try JSONValue(yaml: reply.text)["servers"][0]["url"] == "/a/img")
        }
    }
}
