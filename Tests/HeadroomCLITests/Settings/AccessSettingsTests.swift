import Foundation
import TestHTTP
import TestPacing
import TestPrograms
import Testing

@Suite("Access to headroom serve", .limitedConcurrency)
struct AccessSettingsTests {
    private static let secret = "0123456789abcdefghijklmnopqrstuvwxyz"

    @Test func `without keys and secrets the service logs at startup that access is open`() async throws {
        let open = try await RunningService(["--port", "0"], in: Folder())
        #expect(
            open.startLines.contains { $0.contains(" warning ") && $0.contains("all clients can use this service") }
        )
        for variable in ["HEADROOM_SIGNING_KEYS", "HEADROOM_BEARER_SECRETS"] {
            let closed = try await RunningService(["--port", "0"], environment: [variable: Self.secret], in: Folder())
            #expect(closed.startLines.count == 1)
        }
    }

    @Test func `keys and secrets are read from files`() async throws {
        let folder = try Folder()
        try folder.write(Array("\(Self.secret)\n".utf8), to: "secrets")
        for option in ["--signing-keys-file", "--bearer-secrets-file"] {
            let service = try await RunningService(["--port", "0", option, "secrets"], in: folder)
            let client = try TestClient(port: service.port)
            let target = "/frame?url=http%3A%2F%2Fexample.invalid%2F"
            try await client.send("GET", target, headers: [("Connection", "close")])
            let status = try await client.reply().status
            #expect(status == (option == "--signing-keys-file" ? 403 : 401))
        }
    }

    @Test func `all errors are reported at once, without secrets`() async throws {
        let folder = try Folder()
        try folder.write(Array("short-secret\n".utf8), to: "short")
        try folder.write(Array(String(repeating: "\(Self.secret)\n", count: 300).utf8), to: "long")
        try folder.write(Array("  \n".utf8), to: "empty")
        let unreadable = "expected a file that can be read; none: no such file or directory."
        for (arguments, environment, expected) in [
            (
                [
                    "--allow-hosts", "a.*.com,b", "--deny-hosts", "https://", "--cors-origins", "page",
                    "--signing-keys-file", "none",
                ],
                ["HEADROOM_BEARER_SECRETS": "\(Self.secret) tiny-secret"],
                [
                    "--allow-hosts=a.*.com,b is not valid: expected comma-separated hosts such as example.com, "
                        + "*.example.com or example.com:8443, or none.",
                    "--deny-hosts=https:// is not valid: expected comma-separated hosts such as example.com, "
                        + "*.example.com or example.com:8443, or none.",
                    "--cors-origins=page is not valid: expected * or comma-separated origins such as "
                        + "https://example.com or https://*.example.com.",
                    "--signing-keys-file=none is not valid: \(unreadable)",
                    "HEADROOM_BEARER_SECRETS is not valid: number 2 has 11 characters; expected 32 to 256.",
                ]
            ),
            (
                ["--signing-keys-file", "short", "--bearer-secrets-file", "long"], [:],
                [
                    "--signing-keys-file=short is not valid: number 1 has 12 characters; expected 32 to 256.",
                    "--bearer-secrets-file=long is not valid: expected at most 8192 bytes.",
                ]
            ),
            (
                ["--signing-keys-file", "empty"],
                ["HEADROOM_BEARER_SECRETS": Self.secret, "HEADROOM_BEARER_SECRETS_FILE": "short"],
                [
                    "--signing-keys-file=empty is not valid: contains no secret.",
                    "HEADROOM_BEARER_SECRETS_FILE=short is not allowed while HEADROOM_BEARER_SECRETS is set.",
                ]
            ),
            (
                ["--imgix-sources", "a=https://a.example,b=https://b.example"], ["HEADROOM_IMGIX_TOKEN": "tiny-secret"],
                [
                    "HEADROOM_IMGIX_TOKEN is not valid: contains tokens without the name of a source (a, b): "
                        + "expected name=token."
                ]
            ),
            (
                ["--cors-origins", "*", "--cors-credentials", "--cors-headers", "a b"], [:],
                [
                    "cors-credentials is not allowed with cors-origins=*, which browsers reject: list the origins of the pages.",
                    "--cors-headers=a b is not valid: expected any, none, or comma-separated names such as X-Requested-With.",
                ]
            ),
            (
                ["--cors-origins", "https://page.example,null", "--cors-credentials"], [:],
                [
                    "cors-credentials is not allowed with the origin null, because sandboxed pages of all sites use it: "
                        + "remove null from cors-origins."
                ]
            ),
            (
                ["--cors-credentials", "--public-url", "img.example.com/?a"], [:],
                [
                    "cors-credentials requires cors-origins: the origins of the pages.",
                    "--public-url=img.example.com/?a is not valid: expected an http or https URL without a query, such as "
                        + "https://img.example.com or https://example.com/img.",
                ]
            ),
            (
                ["--imgix-sources", "a=https://a.example,*"], ["HEADROOM_IMGIX_TOKEN": "b=tiny-secret"],
                ["HEADROOM_IMGIX_TOKEN is not valid: number 1 names a source that is missing in imgix-sources."]
            ),
        ] as [([String], [String: String], [String])] {
            let run = try await Headroom.run(["serve"] + arguments, in: folder, environment: environment)
            #expect(run.status == 64)
            #expect(Set(run.errorLines) == Set(expected.map { "Error: \($0)" }))
            #expect(!run.error.contains("secret\n") && !run.error.contains("tiny-secret"))
        }
    }

    @Test func `pages from allowed origins may read responses`() async throws {
        let environment = ["HEADROOM_CORS_ORIGINS": "https://page.example"]
        let service = try await RunningService(["--port", "0"], environment: environment, in: Folder())
        let client = try TestClient(port: service.port)
        let headers = [("Connection", "close"), ("Origin", "https://page.example")]
        try await client.send("GET", "/healthz", headers: headers)
        #expect(try await client.reply()["Access-Control-Allow-Origin"] == "https://page.example")
    }

    @Test func `sources are not fetched from hosts that are not allowed`() async throws {
        let options = ["--port", "0", "--allow-private-sources", "--allow-hosts", "*.example.com,example.org:8080"]
        let service = try await RunningService(options, in: Folder())
        for url in ["http%3A%2F%2F127.0.0.1%3A\(service.port)%2Fopenapi.yaml", "http%3A%2F%2Fexample.org%2F"] {
            let client = try TestClient(port: service.port)
            try await client.send("GET", "/frame?url=\(url)", headers: [("Connection", "close")])
            #expect(try await client.reply().status == 404)
            #expect(await service.line(containing: "is not an allowed host") != nil)
        }
    }
}
