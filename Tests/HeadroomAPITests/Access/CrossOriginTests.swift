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

    @Test func `with several allowed origins, responses repeat the matching one and vary by Origin`() async throws {
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

    /// A setting, an origin of a request, and whether the origin may read the response.
    private static let wildcards: [(setting: String, origin: String, isAllowed: Bool)] = [
        ("https://*.preview.example", "https://a.preview.example", true),
        ("https://*.preview.example", "https://pr-12_b.preview.example", true),
        ("https://*.preview.example", "https://preview.example", false),
        ("https://*.preview.example", "https://.preview.example", false),
        ("https://*.preview.example", "https://a.b.preview.example", false),
        ("https://*.preview.example", "https://apreview.example", false),
        ("https://*.preview.example", "http://a.preview.example", false),
        ("https://*.preview.example", "https://a.preview.example:8443", false),
        ("https://*.preview.example", "https://a.preview.example.evil.net", false),
        ("https://*.preview.example", "https://evil.net/.preview.example", false),
        ("https://*.preview.example", "https://evil.net#.preview.example", false),
        ("https://*.preview.example", "https://a:1@b.preview.example", false),
        ("https://*.preview.example", "https://A.preview.example", false),
        ("https://*.preview.example", "null", false),
        ("http://*.localhost:3000", "http://shop.localhost:3000", true),
        ("http://*.localhost:3000", "http://shop.localhost", false),
        ("http://*.localhost:3000", "http://shop.localhost:30000", false),
        ("https://page.example,https://*.preview.example", "https://page.example", true),
        ("https://page.example,https://*.preview.example", "https://x.preview.example", true),
        ("https://page.example,https://*.preview.example", "https://x.page.example", false),
        ("https://page.example,null", "null", true), ("https://page.example,https://page.test", "null", false),
    ]

    @Test func `a wildcard matches exactly one label, and null matches only if it is listed`() async throws {
        for setting in Set(Self.wildcards.map(\.setting)) {
            try await running(setting) { [blank] service in
                for row in Self.wildcards where row.setting == setting {
                    let headers = [("Origin", row.origin)]
                    let reply = try await service.request("POST", "/frame", headers: headers, body: blank)
                    let allowed = row.isAllowed ? row.origin : nil
                    #expect(reply["Access-Control-Allow-Origin"] == allowed, "\(row)")
                    #expect(reply["Vary"] == "Accept, Origin", "\(row)")
                }
                let reply = try await service.request("POST", "/frame", body: blank)
                #expect(reply["Access-Control-Allow-Origin"] == nil)
                #expect(reply["Vary"] == "Accept, Origin")
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

    /// Fields that uploaders and other libraries send, and whether a page may send them by default.
    private static let requested: [(fields: String, allowed: [String])] = [
        ("cache-control,x-requested-with", ["cache-control", "x-requested-with"]),
        ("X-CSRF-Token, X-File-Name, X-File-Size", ["x-csrf-token", "x-file-name", "x-file-size"]),
        ("x-xsrf-token,x-csrftoken,x-wp-nonce", ["x-xsrf-token", "x-csrftoken", "x-wp-nonce"]),
        ("pragma,expires,if-none-match", ["pragma", "expires"]),
        ("tus-resumable,upload-length,upload-offset", ["tus-resumable", "upload-length", "upload-offset"]),
        ("content-disposition,content-range,x-file-type", ["content-disposition", "content-range", "x-file-type"]),
        ("baggage,sentry-trace,x-datadog-trace-id", ["baggage", "sentry-trace", "x-datadog-trace-id"]),
        // Fields of proxies, and text that is not a name.
        ("x-forwarded-for,forwarded,x-real-ip,x-remote-user,x-http-method-override", []),
        ("x-a,,x a,\u{e9},x-a," + String(repeating: "a", count: 65), ["x-a"]),
        ("x-forwarded-host,x-b", ["x-b"]),
    ]

    @Test func `a page may send the fields of uploaders, but no fields of proxies`() async throws {
        try await running("https://page.example") { [page] service in
            for (fields, allowed) in Self.requested {
                let preflight =
                    page + [
                        ("Access-Control-Request-Method", "POST"),
                        ("Access-Control-Request-Headers", fields.filter(\.isASCII)),
                    ]
                let reply = try await service.request("OPTIONS", "/frame", headers: preflight)
                let listed = try #require(reply["Access-Control-Allow-Headers"]).split(separator: ", ").map(String.init)
                let known = try await service.request(
                    "OPTIONS",
                    "/frame",
                    headers: page + [("Access-Control-Request-Method", "POST")]
                )
                let read = try #require(known["Access-Control-Allow-Headers"]).split(separator: ", ").map(String.init)
                #expect(listed == read + allowed, "\(fields)")
                #expect(reply["Vary"] == "Access-Control-Request-Headers")
            }
        }
    }

    @Test(arguments: [
        ("any", "x-a", ["x-a"]), ("none", "x-a", []), ("X-A, x-b", "x-c", ["x-a", "x-b"]),
        ("Authorization,x-a", "x-c", ["x-a"]),
    ])
    func `the fields can be limited to a list`(setting: String, requested: String, allowed: [String]) async throws {
        var options = TestService.Options()
        options.crossOrigin = try #require(CrossOriginPolicy("https://page.example"))
        options.crossOrigin.fields = try #require(CrossOriginPolicy.Fields(setting))
        try await TestService.running(ScriptedDetector(), options) { service in
            let preflight =
                page + [("Access-Control-Request-Method", "POST"), ("Access-Control-Request-Headers", requested)]
            let reply = try await service.request("OPTIONS", "/frame", headers: preflight)
            let listed = try #require(reply["Access-Control-Allow-Headers"])
            #expect(
                listed.hasSuffix(", " + (allowed.isEmpty ? "Save-Data" : allowed.joined(separator: ", "))),
                "\(listed)"
            )
        }
    }

    @Test(arguments: ["", "a b", "x-a,", "x-a:", "x,y z", "x\ny"])
    func `text that is not a list of fields is rejected`(text: String) {
        #expect(CrossOriginPolicy.Fields(text) == nil)
    }

    @Test(arguments: ["https://page.example", "https://page.example,https://other.example"])
    func `credentials are allowed for listed origins only`(origins: String) async throws {
        var options = TestService.Options()
        options.crossOrigin = try #require(CrossOriginPolicy(origins))
        options.crossOrigin.allowsCredentials = true
        try await TestService.running(ScriptedDetector(), options) { [blank, page] service in
            for (headers, isAllowed) in [(page, true), ([("Origin", "https://evil.example")], !origins.contains(","))] {
                let preflight = headers + [("Access-Control-Request-Method", "POST")]
                for reply in [
                    try await service.request("POST", "/frame", headers: headers, body: blank),
                    try await service.request("OPTIONS", "/frame", headers: preflight),
                ] {
                    #expect(reply["Access-Control-Allow-Credentials"] == (isAllowed ? "true" : nil))
                    #expect(reply["Access-Control-Allow-Origin"] == (isAllowed ? "https://page.example" : nil))
                }
            }
        }
        options.crossOrigin.origins = .any
        try await TestService.running(ScriptedDetector(), options) { [blank, page] service in
            let reply = try await service.request("POST", "/frame", headers: page, body: blank)
            #expect(reply["Access-Control-Allow-Origin"] == "*")
            #expect(reply["Access-Control-Allow-Credentials"] == nil)
        }
    }

    /// Headers of uploads, and whether the upload gets JSON.
    private static let uploads: [(headers: [(String, String)], isForm: Bool, isJSON: Bool)] = [
        // Dropzone with its default headers, and without the headers that other services do not allow.
        (
            [
                ("Origin", "https://page.example"), ("Accept", "application/json"), ("Cache-Control", "no-cache"),
                ("X-Requested-With", "XMLHttpRequest"),
            ], true, false
        ),
        ([("Origin", "https://page.example"), ("Accept", "application/json")], true, false),
        // Dropzone with binaryBody.
        ([("Accept", "application/json"), ("X-Requested-With", "XMLHttpRequest")], false, false),
        // blueimp's jQuery File Upload.
        (
            [
                ("Origin", "https://page.example"), ("X-Requested-With", "XMLHttpRequest"),
                ("Accept", "application/json, text/javascript, */*; q=0.01"),
            ], true, false
        ),
        // Programs that request a plan.
        ([("Accept", "application/json")], true, true), ([("Accept", "application/json")], false, true),
        ([("Origin", "https://page.example"), ("Accept", "application/json")], false, true),
    ]

    @Test func `an uploader of a page gets an image unless it requests a plan`() async throws {
        try await running("https://page.example") { [blank] service in
            for (headers, isForm, isJSON) in Self.uploads {
                let form = [("Content-Type", "multipart/form-data; boundary=b")]
                let start = "--b\r\nContent-Disposition: form-data; name=\"image\"; filename=\"a.png\"\r\n\r\n"
                let body = isForm ? Array(start.utf8) + blank + Array("\r\n--b--\r\n".utf8) : blank
                let all = headers + (isForm ? form : [])
                let reply = try await service.request("POST", "/frame", headers: all, body: body)
                #expect(reply.status == 200 && (reply["Content-Type"] == "application/json") == isJSON, "\(headers)")
                let plan = try await service.request("POST", "/frame?format=json", headers: all, body: body)
                #expect(plan["Content-Type"] == "application/json")
            }
        }
    }

    @Test func `pages may read the cache status`() async throws {
        try await running("*") { [blank] service in
            let reply = try await service.request("POST", "/frame", body: blank)
            #expect(reply["Access-Control-Expose-Headers"]?.contains("Cache-Status") == true)
        }
    }

    @Test(arguments: [
        "", "page.example", "https://", "https://page.example/", "https://page.example/path", "ftp://page.example",
        "https://page.example,", "*,https://page.example", "https://page example?", "https://user@page.example",
        "nulls", "*.page.example", "https://*", "https://*.", "https://a.*.example", "https://a*.page.example",
        "https://*.*.page.example", "https://*page.example", "https://*.page..example", "https://*.0.0.1",
        "https://*.page.example:", "https://*.page.example:0", "https://*.page.example:65536",
        "https://*.page.example:*", "https://*.page.example/", "https://*.[::1]",
    ])
    func `an invalid origin is rejected`(text: String) {
        #expect(CrossOriginPolicy(text) == nil)
    }
}
