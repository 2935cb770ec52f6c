import HTTPServer
import HTTPTypes
import HeadroomAPI
import Synchronization
import TestHTTP
import TestPacing
import Testing

/// Request IDs and trace contexts in responses, requests to origins, and logs.
@Suite(.limitedConcurrency) struct RequestTracingTests {
    private static let longest = String(repeating: "a", count: 128)
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"

    @Test(arguments: ["7", "a-b_c.d", "0af7651916cd43dd8448eb211c80319c", "!\"#$~=\\", longest])
    func `a request keeps a valid ID`(id: String) async throws {
        let log = LogRecorder()
        var options = TestService.Options()
        options.log = log
        try await TestService.running(ScriptedDetector(), options) { service in
            for target in ["/healthz", "/metrics", "/faces", "/nothing"] {
                let reply = try await service.request("GET", target, headers: [("X-Request-Id", id)])
                #expect(reply["X-Request-Id"] == id)
            }
        }
        #expect(log.lines.count { $0.contains(" request_id=\(id) ") } == 4)
    }

    @Test(arguments: [
        [], [""], ["a b"], ["a\tb"], ["é"], [longest + "a"], ["a", "b"], ["a", "a"],
    ])
    func `a request without a valid ID gets a new and unique ID`(ids: [String]) async throws {
        try await TestService.running { service in
            var made: Set<String> = []
            for _ in 0..<3 {
                let reply = try await service.request("GET", "/healthz", headers: ids.map { ("X-Request-Id", $0) })
                let id = try #require(reply["X-Request-Id"])
                #expect(id.wholeMatch(of: /[0-9a-f]{32}/) != nil)
                made.insert(id)
            }
            #expect(made.count == 3)
        }
    }

    @Test func `problems, early rejections and 304 responses contain the ID`()
        async throws
    {
        var options = TestService.Options()
        options.access.bearerSecrets = Credentials.list(Credentials.bearer)
        let image = try Images.blankPNG.get()
        try await TestService.running(ScriptedDetector(), options) { service in
            let id = ("X-Request-Id", "mine")
            let refused = try await service.request("POST", "/faces", headers: [id], body: image)
            #expect(refused.status == 401 && refused["X-Request-Id"] == "mine")
            let authorised = [id, ("Authorization", "Bearer \(Credentials.bearer)")]
            try await TestOrigin.running(["/a.png": .file(image)]) { origin in
                let target = "/frame?url=\(origin)/a.png"
                let first = try await service.request("GET", target, headers: authorised)
                let tag = try #require(first["ETag"])
                let second = try await service.request("GET", target, headers: authorised + [("If-None-Match", tag)])
                #expect(second.status == 304 && second["X-Request-Id"] == "mine")
            }
            let bad = try await service.request("GET", "/frame?aspekt=1", headers: authorised)
            #expect(bad.status == 400 && bad["X-Request-Id"] == "mine")
        }
    }

    @Test func `a trace continues to the origin and in the log, but the service never starts one`() async throws {
        let log = LogRecorder()
        var options = TestService.Options()
        options.log = log
        let image = try Images.blankPNG.get()
        let origin = TestOrigin { _ in .file(image) }
        try await origin.running { address in
            try await TestService.running(ScriptedDetector(), options) { service in
                for traceParent in ["00-\(Self.trace)-00f067aa0ba902b7-01", "00-nonsense-01", nil] {
                    let reply = try await service.request(
                        "GET",
                        "/frame?url=\(address)/a.png",
                        headers: traceParent.map { [("traceparent", $0), ("tracestate", "vendor=secret")] } ?? []
                    )
                    #expect(reply.status == 200)
                }
            }
        }
        let fields = origin.requests.map { $0.headers.reduce(into: [:]) { $0[$1.name.canonicalName] = $1.value } }
        try #require(fields.count == 3)
        let sent = try #require(fields[0]["traceparent"])
        let parts = try #require(sent.wholeMatch(of: /00-([0-9a-f]{32})-([0-9a-f]{16})-01/))
        #expect(parts.1 == Self.trace)
        #expect(parts.2 != "00f067aa0ba902b7")
        for fields in fields {
            // The field is intended for tracing systems, and origins are untrusted.
            #expect(fields["tracestate"] == nil)
        }
        #expect(fields[1]["traceparent"] == nil && fields[2]["traceparent"] == nil)
        let traced = log.lines.filter { $0.contains("trace_id") }
        #expect(traced.count == 1)
        #expect(traced[0].contains(" parent_id=00f067aa0ba902b7 "))
        #expect(traced[0].contains(" span_id=\(parts.2) ") && traced[0].contains(" trace_id=\(Self.trace)"))
    }
}
