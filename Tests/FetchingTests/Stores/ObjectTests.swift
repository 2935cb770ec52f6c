import Fetching
import HTTPTypes
import TestHTTP
import TestPacing
import Testing

/// Fetches from a test service for buckets.
///
/// `make check-sources` uses an actual service.
@Suite(.limitedConcurrency) struct ObjectTests {
    /// A fetcher that treats 127.0.0.1 as private.
    private func fetcher(_ endpoint: String, buckets: String = "photos") throws -> ImageFetcher {
        let s3 = S3Configuration(
            endpoint: try WebURL(endpoint),
            region: "eu-central-1",
            buckets: try #require(S3BucketList(buckets)),
            credentials: try #require(S3Credentials(accessKeyID: "AKID", secretAccessKey: "hidden"))
        )
        return try .wary(ports: [80, 443]) {
            $0.rules.s3 = s3
            $0.timeout = .seconds(60)
        }
    }

    @Test func `an object is fetched with a signature, even from a private address`() async throws {
        let origin = TestOrigin { _ in
            TestOrigin.Response(
                status: .ok,
                headers: [.eTag: "\"1\"", .cacheControl: "max-age=9"],
                body: Array("bytes".utf8)
            )
        }
        try await origin.running { endpoint in
            let image = try await fetcher(endpoint).fetch("s3://photos/team%20photo+é.jpg")
            #expect(image.bytes == Array("bytes".utf8))
            #expect(image.etag == "\"1\"" && image.cacheControl == "max-age=9")
            #expect(image.url.string == "s3://photos/team%20photo%2B%C3%A9.jpg")
        }
        let request = try #require(origin.requests.first)
        #expect(request.path == "/photos/team%20photo%2B%C3%A9.jpg")
        let signature = request.headers[.authorization] ?? ""
        #expect(signature.hasPrefix("AWS4-HMAC-SHA256 Credential=AKID/"))
        #expect(
            signature.contains("/eu-central-1/s3/aws4_request, SignedHeaders=host;x-amz-content-sha256;x-amz-date,")
        )
        #expect(!signature.contains("hidden"))
    }

    @Test func `an object is revalidated`() async throws {
        let origin = TestOrigin { request in
            request.headers[.ifNoneMatch] == "\"1\"" ? .init(status: .notModified) : .file([1])
        }
        try await origin.running { endpoint in
            let url = try SourceURL("s3://photos/a.jpg")
            let conditions = FetchConditions(url: url, etag: "\"1\"", lastModified: nil)
            #expect(try await fetcher(endpoint).fetch(url, unless: conditions).isUnchanged)
        }
    }

    @Test func `other URLs reach neither the service's private address nor a connection to it`() async throws {
        let origin = TestOrigin { _ in .file([1]) }
        try await origin.running { endpoint in
            var configuration = FetchConfiguration(userAgent: "Headroom/test")
            configuration.rules.s3 = S3Configuration(
                endpoint: try WebURL(endpoint),
                buckets: try #require(S3BucketList("*")),
                credentials: try #require(S3Credentials(accessKeyID: "AKID", secretAccessKey: "hidden"))
            )
            configuration.slots = 1
            let url = try WebURL(endpoint)
            configuration.allowedPorts = [url.port]
            configuration.timeout = .seconds(60)
            let fetcher = ImageFetcher(configuration: configuration)
            // The slot keeps an idle connection to the service.
            #expect(try await fetcher.fetch("s3://photos/a.jpg").bytes == [1])
            #expect(try await fetcher.failure("\(endpoint)/photos/a.jpg").kind == "blocked")
            #expect(try await fetcher.fetch("s3://photos/a.jpg").bytes == [1])
        }
        #expect(origin.requests.count == 2)
    }

    @Test(arguments: [
        (
            403, "<Error><Code>SignatureDoesNotMatch</Code></Error>",
            "SignatureDoesNotMatch: the secret does not belong to"
        ),
        (403, "<Error><Code>AccessDenied</Code></Error>", "AccessDenied: expected the permission s3:GetObject"),
        (403, "<Error><Code>RequestTimeTooSkewed</Code></Error>", "RequestTimeTooSkewed: expected a correct clock"),
        (403, "<Code>a\nforged line</Code>", "no code"),
        (403, "", "no code"),
        (301, "<Error><Code>PermanentRedirect</Code></Error>", "PermanentRedirect: expected the bucket's own region"),
        (307, "", "no code"),
    ])
    func `the error for a rejected request contains the reason`(status: Int, body: String, reason: String) async throws
    {
        let origin = TestOrigin { _ in
            // Redirects are not followed.
            .init(status: .init(code: status), headers: [.location: "http://example.com/"], body: Array(body.utf8))
        }
        try await origin.running { endpoint in
            guard case .storeRefused(status, let text) = try await fetcher(endpoint).failure("s3://photos/a.jpg") else {
                Issue.record("not rejected")
                return
            }
            #expect(text.hasPrefix(reason))
            #expect(!text.contains("hidden"))
        }
        #expect(origin.requests.count == 1)
    }

    @Test func `the error contains the bucket's region`() async throws {
        let region = try #require(HTTPField.Name("x-amz-bucket-region"))
        let origin = TestOrigin { _ in .init(status: .badRequest, headers: [region: "us-west-2"]) }
        try await origin.running { endpoint in
            let failure = try await fetcher(endpoint).failure("s3://photos/a.jpg")
            let reason = "no code: the bucket is in the region us-west-2, not in eu-central-1"
            #expect(failure == .storeRefused(status: 400, reason: reason))
        }
    }

    @Test(arguments: [(404, "notFound"), (500, "originError"), (503, "originError")])
    func `other failures map to the same errors as for any origin`(status: Int, expected: String) async throws {
        let origin = TestOrigin { _ in .init(status: .init(code: status)) }
        try await origin.running { endpoint in
            let failure = try await fetcher(endpoint).failure("s3://photos/a.jpg")
            #expect(failure.kind == expected)
        }
    }

    @Test func `only allowed buckets are read, and none if no service is configured`() async throws {
        let origin = TestOrigin { _ in .file([1]) }
        try await origin.running { endpoint in
            let fetcher = try fetcher(endpoint, buckets: "photos, team")
            let reason = "others is not an allowed bucket"
            #expect(try await fetcher.failure("s3://others/a.jpg") == .blocked(FetchRefusal(reason)))
            #expect(try await fetcher.fetch("s3://team/a.jpg").bytes == [1])
            let other = try #require(fetcher.adopting(FetchRules()))
            #expect(try await other.failure("s3://team/a.jpg").kind == "blocked")
            #expect(throws: FetchError.invalidURL("this service does not accept s3: URLs, which require --s3-buckets"))
            {
                try other.url("s3://team/a.jpg")
            }
        }
        #expect(origin.requests.count == 1)
    }

    @Test(arguments: ["", "photos,", "photos,*", "Ph otos/..", "-a", "photos/a"])
    func `a list of buckets contains only names`(text: String) {
        // Spaces between names are ignored.
        #expect(S3BucketList(text) == nil)
    }
}
