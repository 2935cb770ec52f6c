import HTTPServer
import HTTPTypes
import HeadroomAPI
import Requests
import TestHTTP
import TestPacing
import Testing

/// Requests that get a problem document, and the content of the document.
@Suite(.limitedConcurrency) struct RefusalTests {
    private func kind(_ reply: TestClient.Reply) throws -> String? {
        #expect(reply["Content-Type"] == "application/problem+json")
        return try JSONValue(json: reply.body)["type"].string?.split(separator: ":").last.map(String.init)
    }

    @Test func `an unsupported, unreadable or too large image has its own problem kind`() async throws {
        var options = TestService.Options()
        options.maxPixels = 100_000
        let jpeg = try Images.singleJPEG.get()
        let png = try Images.blankPNG.get()
        let blank = try Images.blankJPEG.get()
        try await TestService.running(ScriptedDetector(), options) { service in
            for (target, body, status, expected) in [
                ("/frame", Array("hello".utf8), 415, "unsupported-image"),
                ("/frame", Array("BM6\u{3}\0\0\0\0".utf8), 415, "unsupported-image"),
                ("/frame", [0], 415, "unsupported-image"),
                ("/frame", Array(png.prefix(png.count / 2)), 422, "unreadable-image"),
                ("/frame", Array(blank.prefix(200)), 422, "unreadable-image"),
                ("/frame", Array(jpeg.prefix(3)), 422, "unreadable-image"),
                ("/frame", jpeg, 422, "too-large"),
                ("/frame?enlarge=true&width=16384&height=16384", blank, 422, "too-large"),
                ("/frame?enlarge=true&width=400&height=400", blank, 422, "too-large"),
            ] {
                let reply = try await service.request("POST", target, body: body)
                #expect(reply.status == status, "\(target): \(reply.text)")
                #expect(try kind(reply) == expected)
            }
            #expect(try await service.request("POST", "/frame", body: blank).status == 200)
        }
    }

    @Test func `the problem lists all invalid parameters`() async throws {
        try await TestService.running { service in
            let reply = try await service.request("GET", "/frame?asspect=1&zoom=2&dpr=9&url=x&url=y")
            #expect(reply.status == 400)
            let errors = try JSONValue(json: reply.body)["errors"].elements
            #expect(errors.compactMap { $0["parameter"].string }.sorted() == ["asspect", "dpr", "url", "zoom"])
        }
    }

    @Test func `an unknown path gets 404`() async throws {
        try await TestService.running { service in
            for path in ["/Frame", "/faces/0", "/faces/x", "/frame/", "/metrics/x", "/%2e%2e/etc/passwd"] {
                let reply = try await service.request("GET", path)
                #expect(reply.status == 404)
                #expect(try kind(reply) == "not-found")
                #expect(try await service.request("OPTIONS", path).status == 404)
            }
        }
    }

    @Test func `a method that the path does not support gets 405 with Allow`() async throws {
        try await TestService.running { service in
            for (path, allowed) in [
                ("/frame", "GET, HEAD, POST, OPTIONS"), ("/faces", "GET, HEAD, POST, OPTIONS"),
                ("/faces/2", "GET, HEAD, POST, OPTIONS"), ("/healthz", "GET, HEAD, OPTIONS"),
                ("/readyz", "GET, HEAD, OPTIONS"), ("/openapi.yaml", "GET, HEAD, OPTIONS"),
            ] {
                let posting = allowed.contains("POST") ? [] : ["POST"]
                for method in ["DELETE", "PUT", "PATCH", "TRACE"] + posting {
                    let reply = try await service.request(method, path)
                    #expect(reply.status == 405)
                    #expect(reply["Allow"] == allowed)
                }
                let options = try await service.request("OPTIONS", path)
                #expect(options.status == 204)
                #expect(options["Allow"] == allowed)
            }
        }
    }

    @Test(arguments: ["BREW", "PROPFIND", "get", "PATCHED", "P"])
    func `a method that no path supports gets 501`(_ method: String) async throws {
        try await TestService.running { service in
            for path in ["/frame", "/faces/2", "/healthz", "/metrics", "/nothing"] {
                let reply = try await service.request(method, path)
                #expect(reply.status == 501)
                #expect(reply["Allow"] == nil)
                #expect(try kind(reply) == "invalid-request")
            }
        }
    }

    @Test func `requests that the server itself rejects get a problem document`() async throws {
        var options = TestService.Options()
        options.maxBodyBytes = 1000
        try await TestService.running(ScriptedDetector(), options) { service in
            let large = try await service.request("POST", "/frame", body: Array(repeating: 0, count: 1001))
            #expect(large.status == 413)
            #expect(try kind(large) == "too-large")
            let long = try await service.request("GET", "/frame?" + String(repeating: "a", count: 9000))
            #expect(long.status == 414)
            let header = try await service.request(
                "GET",
                "/frame",
                headers: [("X", String(repeating: "x", count: 20_000))]
            )
            #expect(header.status == 431)
            let expectation = try await service.request("GET", "/frame", headers: [("Expect", "tea")])
            #expect(expectation.status == 417)
            let invalid = try await service.request("GET", "/frame", headers: [("Host", "twice")])
            #expect(invalid.status == 400)
            for reply in [long, header, expectation, invalid] { #expect(try kind(reply) == "invalid-request") }
        }
    }

    @Test func `a problem has the members of RFC 9457 and is not cached`() throws {
        let errors = try #require(throws: ParameterErrors.self) {
            _ = try FrameParameters([(name: "quality", value: "0")], known: Parameter.all)
        }
        let response = Problem(errors).response
        #expect(response.status == .badRequest)
        #expect(response.headers[.contentType] == "application/problem+json")
        #expect(response.headers[.cacheControl] == "no-store")
        let expected = try JSONValue(
            json: Array(
                """
                {"type": "urn:headroom:problem:invalid-parameter", "title": "A parameter is not valid", "status": 400,
                 "detail": "quality=0 is not valid: expected a whole number from 1 to 100, source or auto.",
                 "errors": [{"parameter": "quality", "received": "0", "expected": "a whole number from 1 to 100, source or auto",
                             "detail": "quality=0 is not valid: expected a whole number from 1 to 100, source or auto."}]}
                """.utf8
            )
        )
        #expect(try JSONValue(json: response.body) == expected)
    }
}
