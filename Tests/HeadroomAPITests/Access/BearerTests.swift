import HTTPServer
import HTTPTypes
import HeadroomAPI
import TestHTTP
import TestPacing
import Testing

/// A service that requires a bearer secret.
@Suite(.limitedConcurrency) struct BearerTests {
    private let blank: [UInt8]

    init() throws { blank = try Images.blankPNG.get() }

    private func running(
        _ access: AccessPolicy,
        detector: ScriptedDetector = ScriptedDetector(),
        _ body: @escaping @Sendable (TestService) async throws -> Void
    ) async throws {
        var options = TestService.Options()
        options.access = access
        try await TestService.running(detector, options, body)
    }

    @Test(arguments: ["Bearer", "bearer", "BEARER"])
    func `a client with the secret may send any request`(scheme: String) async throws {
        try await running(Credentials.bearing()) { [blank] service in
            let headers = [("Authorization", "\(scheme) \(Credentials.bearer)")]
            let reply = try await service.request("POST", "/frame", headers: headers, body: blank)
            #expect(reply.status == 200)
        }
    }

    @Test func `every secret of the list is accepted, so that secrets can be rotated`() async throws {
        let access = AccessPolicy(bearerSecrets: Credentials.list("\(Credentials.bearer) \(Credentials.secondKey)"))
        try await running(access) { [blank] service in
            for secret in [Credentials.bearer, Credentials.secondKey] {
                let headers = [("Authorization", "Bearer \(secret)")]
                let reply = try await service.request("POST", "/faces", headers: headers, body: blank)
                #expect(reply.status == 200)
            }
        }
    }

    @Test func `a missing or wrong token gets 401 with a challenge and starts no job`() async throws {
        let detector = ScriptedDetector()
        try await running(Credentials.bearing(), detector: detector) { [blank] service in
            let secret = Credentials.bearer
            for (value, challenge) in [
                (nil, "Bearer realm=\"headroom\""), ("Basic \(secret)", "Bearer realm=\"headroom\""),
                (secret, "Bearer realm=\"headroom\""), ("Bearer", "Bearer realm=\"headroom\""),
                ("Bearer \(secret)x", "Bearer realm=\"headroom\", error=\"invalid_token\""),
                ("Bearer \(secret.dropLast())", "Bearer realm=\"headroom\", error=\"invalid_token\""),
                ("Bearer \(secret.uppercased())", "Bearer realm=\"headroom\", error=\"invalid_token\""),
                ("Bearer \(secret) \(secret)", "Bearer realm=\"headroom\", error=\"invalid_token\""),
            ] {
                let headers = value.map { [("Authorization", $0)] } ?? []
                for (method, body) in [("POST", blank), ("GET", []), ("HEAD", [])] {
                    let target = method == "POST" ? "/frame" : "/frame?url=http%3A%2F%2F127.0.0.1%3A9%2F"
                    let reply = try await service.request(method, target, headers: headers, body: body)
                    #expect(reply.status == 401)
                    #expect(reply["WWW-Authenticate"] == challenge)
                    // Only a field without a token gets advice on its form.
                    let hasOtherForm = value != nil && !challenge.contains("error")
                    let advice = "it must consist of Bearer, a space and the secret."
                    if method != "HEAD" { #expect(reply.text.contains(advice) == hasOtherForm, "\(value ?? "none")") }
                    #expect(!reply.text.contains(secret))
                }
            }
            let twice = [("Authorization", "Bearer \(secret)"), ("Authorization", "Bearer \(secret)")]
            #expect(try await service.request("POST", "/frame", headers: twice, body: blank).status == 401)
        }
        #expect(detector.calls == 0)
    }

    @Test func `either a signature or a token is enough if both are configured`() async throws {
        let responses = ["/a.png": TestOrigin.Response.file(blank)]
        try await running(Credentials.bearing(andSigning: true)) { service in
            try await TestOrigin.running(responses) { origin in
                let plain = "/frame?url=\(origin)/a.png"
                let signed = Credentials.sign("/frame", [("url", "\(origin)/a.png")])
                let forged = Credentials.sign("/frame", [("url", "\(origin)/a.png")], key: Credentials.foreignKey)
                let right = [("Authorization", "Bearer \(Credentials.bearer)")]
                let wrong = [("Authorization", "Bearer \(Credentials.foreignKey)")]
                // Credentials for another layer, such as a proxy.
                let other = [("Authorization", "Basic dXNlcjpwYXNz")]
                for (target, headers, status) in [
                    (plain, right, 200), (signed, [], 200), (signed, other, 200), (forged, right, 200),
                    (signed, wrong, 200), (plain, [], 401), (plain, wrong, 401), (plain, other, 401), (forged, [], 403),
                ] {
                    let reply = try await service.request("GET", target, headers: headers)
                    #expect(reply.status == status, "\(target) \(headers): \(reply.text)")
                }
            }
        }
    }

    @Test func `a response to a request with a token is private`() async throws {
        try await running(Credentials.bearing()) { [blank] service in
            let headers = [("Authorization", "Bearer \(Credentials.bearer)")]
            let reply = try await service.request("POST", "/frame", headers: headers, body: blank)
            #expect(
                reply["Cache-Control"] == "private, max-age=86400, stale-while-revalidate=3600, stale-if-error=86400"
            )
        }
    }

    @Test func `health, metrics and documentation routes need no token`() async throws {
        try await running(Credentials.bearing()) { service in
            for path in ["/healthz", "/readyz", "/openapi.yaml"] {
                let reply = try await service.request("GET", path)
                #expect(reply.status == 200)
            }
        }
    }
}
