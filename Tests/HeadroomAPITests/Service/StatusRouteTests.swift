import Fetching
import HTTPServer
import HTTPTypes
import HeadroomAPI
import Logging
import Pipeline
import TestHTTP
import TestPacing
import Testing
import Workers

@Suite(.limitedConcurrency) struct StatusRouteTests {
    @Test func `health and readiness responses are one word`() async throws {
        try await TestService.running { service in
            let health = try await service.request("GET", "/healthz")
            #expect(health.text == "ok\n")
            let readiness = try await service.request("GET", "/readyz")
            #expect(readiness.text == "ready\n")
        }
    }

    @Test(
        arguments: [
            ("/frames", "/frame"), ("/Frame", "/frame"), ("/frame/", "/frame"), ("/crop", "/frame"),
            ("/face", "/faces"),
            ("/detect", "/faces"), ("/faces/0", "/faces/N"), ("/health", "/healthz"), ("/metric", "/metrics"),
            ("/open-api.yaml", "/openapi.yaml"), ("/swagger.json", "/openapi.yaml"),
            ("/xyzzyxyzzy", nil), ("/frame/\(String(repeating: "x", count: 1000))", nil), ("/%F0%9F%98%80", nil),
        ] as [(String, String?)]
    )
    func `the problem for an unknown path names a similar route`(path: String, route: String?) async throws {
        try await TestService.running { service in
            let reply = try await service.request("GET", path)
            #expect(reply.status == 404)
            let advice = route.map { "Did you mean \($0)?" }
            #expect(reply.text.contains(advice ?? "Did you mean") == (advice != nil), "\(reply.text)")
        }
    }

    @Test func `the API description is served unchanged`() async throws {
        try await TestService.running { service in
            let reply = try await service.request("GET", "/openapi.yaml")
            #expect(reply["Content-Type"] == "application/yaml")
            #expect(reply.text.hasPrefix("openapi: 3.1.0\n"))
        }
    }

    @Test func `static documents have their own validator`() async throws {
        try await TestService.running { service in
            var tags: Set<String> = []
            let paths = ["/", "/playground/app.js", "/playground/scene.jpg", "/openapi.yaml"]
            for path in paths {
                let reply = try await service.request("GET", path)
                let tag = try #require(reply["ETag"])
                tags.insert(tag)
                for value in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
                    for method in ["GET", "HEAD"] {
                        let known = try await service.request(method, path, headers: [("If-None-Match", value)])
                        #expect(known.status == 304 && known.body.isEmpty, "\(path) \(value)")
                        // A browser applies the fields of a 304 to its stored document.
                        for name in ["ETag", "Cache-Control", "Content-Security-Policy"] {
                            #expect(known[name] == reply[name], "\(path) \(name)")
                        }
                    }
                }
                let other = try await service.request("GET", path, headers: [("If-None-Match", "\"other\"")])
                #expect(other.status == 200 && other.body == reply.body)
            }
            #expect(tags.count == paths.count)
        }
    }

    private func handler(_ readiness: Readiness = Readiness()) throws -> HeadroomHandler {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let service = try WorkerService(
            model: ScriptedDetector().model,
            limits: PipelineLimits(),
            pool: .init(workers: 1, queueLimit: 0, maxBytesInFlight: 1 << 20)
        )
        let fetcher = ImageFetcher(configuration: .init(userAgent: "Headroom/test"), logger: logger)
        let caches = ServiceCaches(.none, service: service, fetcher: fetcher, logger: logger)
        let images = ImageService(workers: service, caches: caches)
        return HeadroomHandler(images: images, readiness: readiness, logger: logger)
    }

    @Test(arguments: [
        (400, "invalid-request"), (408, "invalid-request"), (413, "too-large"), (414, "invalid-request"),
        (417, "invalid-request"), (431, "invalid-request"), (500, "internal-error"), (501, "invalid-request"),
        (503, "overloaded"), (505, "invalid-request"),
    ])
    func `requests that the server rejects get the described problem documents`(status: Int, kind: String) throws {
        let response = try handler().refusal(status: HTTPResponse.Status(code: status), detail: "Because.")
        #expect(response.status.code == status)
        #expect((response.headers[.retryAfter] != nil) == (status == 503))
        let problem = try JSONValue(json: response.body)
        #expect(problem["type"] == .string("urn:headroom:problem:\(kind)"))
        #expect(problem["status"] == .integer(status))
        #expect(problem["detail"] == "Because.")
        let document = try Contract.shared.get().document
        let responses = document["paths"]["/frame"]["post"]["responses"]
        let apart = [501: "NotImplemented", 505: "VersionNotSupported"]
        let described = apart[status].map { document["components"]["responses"][$0] } ?? responses["\(status)"]
        #expect(!described.isNull)
    }

    @Test func `a draining service is alive but not ready`() async throws {
        let readiness = Readiness()
        let handler = try handler(readiness)
        #expect(await handler.respond(to: ServerRequest(method: .get, target: "/readyz")).status == .ok)
        readiness.startDraining()
        let response = await handler.respond(to: ServerRequest(method: .get, target: "/readyz"))
        #expect(response.status == .serviceUnavailable)
        #expect(String(decoding: response.body, as: UTF8.self) == "draining\n")
        #expect(await handler.respond(to: ServerRequest(method: .get, target: "/healthz")).status == .ok)
    }

    @Test func `a request accepted before a shutdown gets its response`() async throws {
        let detector = ScriptedDetector(isGated: true)
        let image = try Images.blankPNG.get()
        let reply = try await TestService.running(detector) { service in
            let client = try service.client()
            try await client.send("POST", "/faces", body: image)
            #expect(await eventually { detector.calls == 1 })
            service.shutdown()
            #expect(await eventually { (try? service.client()) == nil })
            detector.release()
            return try await client.reply()
        }
        #expect(reply.status == 200)
    }
}
