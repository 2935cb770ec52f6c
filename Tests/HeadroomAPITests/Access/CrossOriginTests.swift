import HTTPServer
import HTTPTypes
import HeadroomAPI
import TestHTTP
import TestPacing
import Testing

/// Access from web pages of other origins (CORS).
@Suite(.limitedConcurrency) struct CrossOriginTests {
    private let blank: [UInt8]

    init() throws { blank = try Images.blankPNG.get() }

    private func running(
        _ origins: String?,
        access: AccessPolicy = AccessPolicy(),
        _ body: @escaping @Sendable (TestService) async throws -> Void
    ) async throws {
        var options = TestService.Options()
        options.access = access
        options.crossOrigin = try origins.map { try #require(CrossOriginPolicy($0)) } ?? .none
        try await TestService.running(ScriptedDetector(), options, body)
    }

    private let page = [("Origin", "https://page.example")]

    @Test func `without a policy no response has CORS fields, not even a preflight response`() async throws {
        try await running(nil) { [blank, page] service in
            let preflight = page + [("Access-Control-Request-Method", "POST")]
            for reply in [
                try await service.request("POST", "/frame", headers: page, body: blank),
                try await service.request("OPTIONS", "/frame", headers: preflight),
            ] {
                #expect(!reply.headers.contains { $0.name.lowercased().hasPrefix("access-control") })
                #expect(reply["Timing-Allow-Origin"] == nil)
            }
        }
    }

    @Test(arguments: ["*", "https://page.example"])
    func `with any origin or one origin allowed, all responses have the same CORS fields`(origins: String) async throws
    {
        try await running(origins, access: Credentials.bearing()) { [blank, page] service in
            let bearer = [("Authorization", "Bearer \(Credentials.bearer)")]
            for (target, headers, status) in [
                ("/frame", bearer + page, 200), ("/frame", bearer, 200), ("/frame?zoom=9", bearer + page, 400),
                ("/frame", page, 401), ("/frame", bearer + page + [("Host", "twice")], 400), ("/none", page, 404),
            ] {
                let reply = try await service.request("POST", target, headers: headers, body: blank)
                #expect(reply.status == status)
                #expect(reply["Access-Control-Allow-Origin"] == origins)
                #expect(reply["Access-Control-Expose-Headers"]?.contains("Headroom-Decision") == true)
                #expect(reply["Timing-Allow-Origin"] == origins)
                #expect(reply["Access-Control-Allow-Credentials"] == nil)
                #expect(reply["Vary"]?.contains("Origin") != true)
            }
        }
    }

    @Test func `with several allowed origins the response repeats the matching one and varies by Origin`() async throws
    {
        try await running("https://page.example, http://localhost:3000") { [blank] service in
            for (origin, allowed) in [
                ("https://page.example", "https://page.example"), ("http://localhost:3000", "http://localhost:3000"),
                ("https://evil.example", nil), ("https://page.example.evil.net", nil), ("http://page.example", nil),
                ("null", nil), (nil, nil),
            ] {
                let headers = origin.map { [("Origin", $0)] } ?? []
                let reply = try await service.request("POST", "/frame", headers: headers, body: blank)
                #expect(reply["Access-Control-Allow-Origin"] == allowed)
                #expect(reply["Timing-Allow-Origin"] == allowed)
                #expect(reply["Vary"] == "Accept, Origin")
                let problem = try await service.request("GET", "/frame", headers: headers)
                #expect(problem["Access-Control-Allow-Origin"] == allowed)
                #expect(problem["Vary"] == "Origin")
            }
        }
    }

    @Test func `a preflight needs no credentials, and its response lists methods and fields`() async throws {
        try await running("https://page.example", access: Credentials.bearing()) { [page] service in
            let preflight =
                page + [
                    ("Access-Control-Request-Method", "POST"), ("Access-Control-Request-Headers", "authorization"),
                ]
            let reply = try await service.request("OPTIONS", "/frame", headers: preflight)
            #expect(reply.status == 204)
            #expect(reply["Access-Control-Allow-Origin"] == "https://page.example")
            #expect(reply["Access-Control-Allow-Methods"] == "GET, HEAD, POST, OPTIONS")
            let fields = try #require(reply["Access-Control-Allow-Headers"]).lowercased().split(separator: ", ").map(
                String.init
            )
            for field in [
                "authorization", "content-type", "content-encoding", "if-none-match", "if-modified-since",
                "traceparent",
                "tracestate", "x-request-id", "sec-ch-width", "width", "sec-ch-viewport-width", "sec-ch-dpr",
                "save-data",
            ] {
                #expect(fields.contains(field), "\(field)")
            }
            #expect(reply["Access-Control-Max-Age"] == "86400")
        }
    }

    @Test(arguments: [
        "", "page.example", "https://", "https://page.example/", "https://page.example/path", "ftp://page.example",
        "https://*.page.example", "https://page.example,", "*,https://page.example", "https://page example?",
        "https://user@page.example", "null",
    ])
    func `an invalid origin is rejected`(text: String) {
        #expect(CrossOriginPolicy(text) == nil)
    }
}
