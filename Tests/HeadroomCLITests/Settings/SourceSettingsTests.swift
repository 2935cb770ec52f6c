import Foundation
import TestHTTP
import TestPacing
import TestPrograms
import Testing

@Suite("Settings for buckets, a folder and relative URLs", .limitedConcurrency)
struct SourceSettingsTests {
    private static let keys = ["AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": "hidden-secret"]

    @Test(
        arguments: [
            (
                ["--s3-buckets", "photos"], [:],
                "s3-buckets requires credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
            ),
            (
                ["--s3-buckets", "photos"], ["AWS_ACCESS_KEY_ID": "AKID"],
                "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not valid: expected both"
            ),
            (
                ["--s3-buckets", "photos", "--s3-credentials-file", "absent"], [:],
                "--s3-credentials-file=absent is not valid: expected a file that can be read"
            ),
            (
                ["--s3-buckets", "photos", "--s3-credentials-file", "credentials", "--s3-profile", "other"], [:],
                "--s3-credentials-file=credentials is not valid: expected aws_access_key_id and aws_secret_access_key in the "
                    + "profile other."
            ),
            (
                ["--s3-buckets", "photos/a"], keys,
                "--s3-buckets=photos/a is not valid: expected comma-separated bucket names"
            ),
            (
                ["--s3-endpoint", "http://minio:9000/?a=b"], [:],
                "--s3-endpoint=http://minio:9000/?a=b is not valid: expected an http or https URL without a query"
            ),
            (
                ["--fetch-proxy", "socks5://proxy:1080"], [:],
                "--fetch-proxy is not valid: expected the URL of a proxy"
            ),
            (
                ["--fetch-no-proxy", "a b.c/"], [:],
                "--fetch-no-proxy=a b.c/ is not valid: expected comma-separated hosts"
            ),
            (
                ["--fetch-ca-file", "credentials"], [:],
                "--fetch-ca-file=credentials is not valid: expected a PEM file with certificates."
            ),
            (
                ["--fetch-ca-file", "absent"], [:],
                "--fetch-ca-file=absent is not valid: expected a file that can be read"
            ),
            (
                ["--fetch-client-certificate", "credentials"], [:],
                "--fetch-client-certificate=credentials requires fetch-client-hosts"
            ),
            (
                ["--fetch-client-certificate", "credentials", "--fetch-client-hosts", "example.com"], [:],
                "--fetch-client-certificate=credentials is not valid: expected PEM with a certificate, and its key"
            ),
            (
                ["--fetch-client-key", "credentials"], [:],
                "--fetch-client-key=credentials requires fetch-client-certificate."
            ),
            (
                ["--fetch-headers-file", "absent"], [:],
                "--fetch-headers-file=absent is not valid: expected a file that can be read"
            ),
            (
                ["--fetch-user-agent", "é"], [:],
                "--fetch-user-agent=é is not valid: expected 1 to 128 characters of visible ASCII."
            ),
            (["--s3-region", "EU"], [:], "--s3-region=EU is not valid: expected a region"),
            (["--local-root", "photos"], [:], "--local-root=photos is not valid: expected an absolute path"),
            (
                ["--local-root", "/no/such/folder"], [:],
                "--local-root=/no/such/folder is not valid: expected an absolute path of a folder that can be opened; No such "
                    + "file or directory."
            ),
            (
                ["--base-url", "local:///"], [:],
                "--base-url=local:/// is not valid: expected the URL of a folder that this service may read, such as "
                    + "https://example.com/photos/; local: URLs are disabled; set --local-root."
            ),
            (
                ["--base-url", "https://example.com", "--allow-hosts", "none"], [:],
                "--base-url=https://example.com is not valid: expected the URL of a folder that this service may read"
            ),
            (
                ["--base-url", "https://example.com", "--deny-hosts", "https://example.com"], [:],
                "--base-url=https://example.com is not valid: expected the URL of a folder that this service may read"
            ),
            (
                ["--source-rewrites", "photos://=s3://bucket"], [:],
                "--source-rewrites=photos://=s3://bucket is not valid: expected comma-separated rules such as "
                    + "photos://=s3://bucket/public/, with a slash at both ends."
            ),
            (["--base-url", "photos"], [:], "--base-url=photos is not valid: expected the URL of a folder"),
        ] as [([String], [String: String], String)]
    )
    func `invalid settings are reported without secrets`(
        arguments: [String],
        environment: [String: String],
        expected: String
    ) async throws {
        let folder = try Folder()
        let file = "[default]\naws_access_key_id = AKID\naws_secret_access_key = hidden-secret\n"
        try folder.write(Array(file.utf8), to: "credentials")
        let run = try await Headroom.run(["config"] + arguments, in: folder, environment: environment)
        #expect(run.status == 64)
        #expect(run.errorLines.count == 1)
        #expect(run.error.hasPrefix("Error: \(expected)"), "\(run.error)")
        #expect(!run.error.contains("hidden"))
    }

    @Test(.enabled(if: TestCertificates.isInstalled, Comment(rawValue: TestCertificates.advice)))
    func `a client key that does not belong to the certificate is reported at startup`() async throws {
        let certificates = try await TestCertificates()
        try await certificates.make("one")
        try await certificates.make("two")
        let (one, two) = (certificates.path("one"), certificates.keyPath("two"))
        let run = try await Headroom.run(
            [
                "config", "--fetch-client-certificate", one, "--fetch-client-key", two, "--fetch-client-hosts",
                "a.example",
            ],
            in: Folder()
        )
        #expect(run.status == 64)
        let sentence = "is not valid: expected the key of the certificate in --fetch-client-certificate=\(one)."
        #expect(run.error == "Error: --fetch-client-key=\(two) \(sentence)\n")
    }

    @Test func `the region comes from the environment, and no credentials are listed`() async throws {
        let environment = Self.keys.merging(["AWS_REGION": "eu-central-1"]) { $1 }
        let run = try await Headroom.run(["config", "--s3-buckets", "*"], in: Folder(), environment: environment)
        #expect(run.status == 0, "\(run.error)")
        #expect(run.text.contains("s3-region: eu-central-1"))
        #expect(!run.text.contains("hidden") && !run.text.contains("AKID"))
    }

    @Test(arguments: [
        ("s3://photos/a%20b.jpg", 0), ("local:///a.jpg", 0), ("a.jpg", 0), ("/photos/a.jpg", 0),
        ("s3://photos", 64), ("local://a.jpg", 64), ("//example.com/a.jpg", 0), ("a:b.jpg", 64),
    ])
    func `headroom sign accepts every kind of source URL`(url: String, status: Int32) async throws {
        let environment = ["HEADROOM_SIGNING_KEYS": "an-example-key-0123456789abcdefghij"]
        let arguments = ["sign", "/frame", "aspect=1:1", "url=\(url)"]
        let run = try await Headroom.run(arguments, in: Folder(), environment: environment)
        #expect(run.status == status, "\(run.error)")
        #expect(run.text.contains("&signature=") == (status == 0))
    }

    @Test func `headroom sign encrypts a URL with the first key`() async throws {
        let key = (0..<32).map { $0 < 16 ? "0\(String($0, radix: 16))" : String($0, radix: 16) }.joined()
        let signing = ["HEADROOM_SIGNING_KEYS": "an-example-key-0123456789abcdefghij"]
        let arguments = ["sign", "/frame", "url=https://example.com/team.jpg", "--encrypt"]
        let environment = signing.merging(["HEADROOM_SOURCE_ENCRYPTION_KEYS": key]) { $1 }
        let run = try await Headroom.run(arguments, in: Folder(), environment: environment)
        let text = "ATzxoeVsQLhBLHWfsofm-2Zy1cfN5j7Ycp2n9QQuXOo3r_Qsqb2vnhL8mKSsWb328qTS_DQ8djY"
        #expect(run.status == 0 && run.text.hasPrefix("/frame?url=enc%3A\(text)&signature="), "\(run.error)")
        let without = try await Headroom.run(arguments, in: Folder(), environment: signing)
        #expect(without.status == 64 && without.error.contains("--encrypt requires a key"), "\(without.error)")
        let wrong = try await Headroom.run(
            ["config"],
            in: Folder(),
            environment: ["HEADROOM_SOURCE_ENCRYPTION_KEYS": String(repeating: "z", count: 64)]
        )
        #expect(wrong.status == 64 && wrong.error.contains("source-encryption-keys is not valid"), "\(wrong.error)")
        let listed = try await Headroom.run(["config"], in: Folder(), environment: environment)
        #expect(listed.status == 0 && listed.text.contains("source-encryption-keys:") && !listed.text.contains(key))
    }

    @Test(arguments: [("photos://a.jpg", 0), ("photo://a.jpg", 64), ("photos://../a.jpg", 64)])
    func `headroom sign applies the rules of the service, and signs the original text`(
        url: String,
        status: Int32
    ) async throws {
        let environment = [
            "HEADROOM_SIGNING_KEYS": "an-example-key-0123456789abcdefghij",
            "HEADROOM_SOURCE_REWRITES": "photos://=https://example.com/public/",
        ]
        let run = try await Headroom.run(["sign", "/frame", "url=\(url)"], in: Folder(), environment: environment)
        #expect(run.status == status, "\(run.error)")
        #expect(run.text.contains("url=photos%3A%2F%2Fa.jpg&signature=") == (status == 0))
    }

    @Test func `a service crops a local file by its URL and by its path, and no other file`() async throws {
        let folder = try Folder()
        try folder.write(try Image.encoded(), to: "photos/team photo.png")
        try folder.write(try Image.encoded(), to: "secret.png")
        let root = folder.url.appending(path: "photos").path
        let arguments = [
            "--port", "0", "--isolation", "thread", "--local-root", root, "--base-url", "local:///", "--allow-hosts",
            "none",
        ]
        let service = try await RunningService(arguments, in: folder)
        func get(_ url: String) async throws -> TestClient.Reply {
            let client = try TestClient(port: service.port)
            let target = "/frame?aspect=1:1&accuracy=low&format=jpeg&url=\(url)"
            try await client.send("GET", target, headers: [("Connection", "close")])
            return try await client.reply()
        }
        let full = try await get("local%3A%2F%2F%2Fteam%2520photo.png")
        #expect(full.status == 200)
        #expect(full["Link"] == nil)
        #expect(full["Cache-Tag"]?.wholeMatch(of: /source-[0-9a-f]{16}/) != nil)
        #expect(await service.line(containing: "scheme=local") != nil)
        for short in ["team%2520photo.png", "%2Fteam%2520photo.png"] {
            let reply = try await get(short)
            #expect(reply.status == 200 && reply.body == full.body && reply["Link"] == nil)
        }
        for (url, status) in [
            ("absent.png", 404), ("..%2Fsecret.png", 400), ("%252e%252e%2Fsecret.png", 400), (".%2Fsecret.png", 400),
            ("local%3A%2F%2F%2F..%2Fsecret.png", 400), ("s3%3A%2F%2Fphotos%2Fa.png", 400),
            ("http%3A%2F%2Fexample.com%2Fa.png", 404), ("%2F%2Fexample.com%2Fa.png", 404),
        ] {
            let reply = try await get(url)
            #expect(reply.status == status, "\(url): \(reply.text)")
            #expect(!reply.text.contains(folder.url.path))
        }
        withExtendedLifetime(service) {}
    }
}
