import HTTPServer
import HTTPTypes
import HeadroomAPI
import TestHTTP
import TestPacing
import Testing

/// The security headers of each kind of response; ``Contract`` checks the headers of all other responses in these
/// tests.
@Suite(.limitedConcurrency) struct ProtectiveHeadersTests {
    @Test func `every kind of response has the security headers`() async throws {
        let blank = try Images.blankPNG.get()
        try await TestService.running { service in
            for (method, target, headers, body, isEmbeddable) in [
                ("POST", "/frame", [], blank, true), ("POST", "/frame?format=json", [], blank, true),
                ("POST", "/frame?format=html", [], blank, true), ("POST", "/faces?format=zip", [], blank, true),
                ("POST", "/faces/1", [], blank, true), ("HEAD", "/frame", [], [], true),
                ("GET", "/frame", [], [], true),
                ("DELETE", "/frame", [], [], true), ("OPTIONS", "/frame", [], [], true),
                ("GET", "/healthz", [], [], false), ("HEAD", "/readyz", [], [], false),
                ("GET", "/openapi.yaml", [], [], false), ("GET", "/nothing", [], [], false),
                ("POST", "/frame", [("Host", "twice")], [], false), ("GET", "/frame", [("Expect", "tea")], [], false),
            ] as [(String, String, [(String, String)], [UInt8], Bool)] {
                let reply = try await service.request(method, target, headers: headers, body: body)
                #expect(reply["X-Content-Type-Options"] == "nosniff")
                #expect(reply["Content-Security-Policy"] == "default-src 'none'; sandbox")
                #expect(reply["Referrer-Policy"] == "no-referrer")
                #expect(
                    reply["Cross-Origin-Resource-Policy"] == (isEmbeddable ? "cross-origin" : "same-origin"),
                    "\(method) \(target)"
                )
                let names = reply.headers.map { $0.name.lowercased() }
                #expect(Set(names).count == names.count)
            }
        }
    }
}
