import Cryptography
import Encodings
import Fetching
import Foundation
import HTTPTypes
import Synchronization
import TestHTTP
import TestPacing
import TestPrograms
import Testing

/// Fetches from test servers that implement the documentation of Azure Blob Storage and Google Cloud Storage.
@Suite(.limitedConcurrency) struct CloudStoreTests {
    /// A blob service of the account `company` that checks Shared Key signatures.
    private struct BlobService: Sendable {
        static let key = Array("a key of the account".utf8)
        var etag = "\"0x8D\""

        /// The response to a request; 403 with Azure's error for a wrong signature.
        func response(to request: TestOrigin.Request) -> TestOrigin.Response {
            guard request.headers[.authorization] == "SharedKey company:\(signature(of: request))" else {
                return Self.error("AuthenticationFailed", .forbidden)
            }
            guard request.path == "/photos/team%20photo%2B%C3%A9.jpg" else {
                return Self.error("BlobNotFound", .notFound)
            }
            if request.headers[.ifNoneMatch] == etag { return .init(status: .notModified) }
            let bytes: [UInt8] = [0, 1, 2, 3, 4]
            guard request.headers[.range] != nil else {
                return .init(status: .ok, headers: [.eTag: etag], body: bytes)
            }
            let fields: HTTPFields = [.eTag: etag, .contentRange: "bytes 1-3/5"]
            return .init(status: .partialContent, headers: fields, body: [1, 2, 3])
        }

        static func error(_ code: String, _ status: HTTPResponse.Status) -> TestOrigin.Response {
            let text =
                "<?xml version=\"1.0\" encoding=\"utf-8\"?><Error><Code>\(code)</Code><Message>No</Message></Error>"
            return .init(status: status, body: Array(text.utf8))
        }

        /// "Authorize with Shared Key": the method, eleven standard fields, the sorted `x-ms-` fields, the resource.
        private func signature(of request: TestOrigin.Request) -> String {
            func field(_ name: String) -> String { HTTPField.Name(name).flatMap { request.headers[$0] } ?? "" }
            let names = [
                "Content-Encoding", "Content-Language", "Content-Length", "Content-MD5", "Content-Type", "Date",
                "If-Modified-Since", "If-Match", "If-None-Match", "If-Unmodified-Since", "Range",
            ]
            let custom = request.headers.map { ($0.name.canonicalName, $0.value) }.filter { $0.0.hasPrefix("x-ms-") }
            let text =
                "\(request.method)\n" + names.map { "\(field($0))\n" }.joined()
                + custom.sorted { $0.0 < $1.0 }.map { "\($0.0):\($0.1)\n" }.joined() + "/company\(request.path)"
            let code = MessageDigest.sha256.authenticationCode(of: Array(text.utf8), key: Self.key)
            return Data(code).base64EncodedString()
        }
    }

    private func azure(_ endpoint: String, _ credentials: AzureConfiguration.Credentials?) throws -> ImageFetcher {
        let azure = try AzureConfiguration(
            account: "company",
            endpoint: try WebURL(endpoint),
            containers: try #require(S3BucketList("photos")),
            credentials: try #require(credentials)
        )
        return try .wary(ports: [80, 443]) {
            $0.rules.azure = azure
            $0.timeout = .seconds(60)
        }
    }

    private var key: AzureConfiguration.Credentials? { .init(key: Data(BlobService.key).base64EncodedString()) }

    @Test func `a blob is fetched with a Shared Key signature, even from a private address`() async throws {
        let service = BlobService()
        let origin = TestOrigin { service.response(to: $0) }
        try await origin.running { endpoint in
            let fetcher = try azure(endpoint, key)
            let url = try fetcher.url("abs://photos/team%20photo+é.jpg")
            let image = try await fetcher.fetch(url)
            #expect(image.bytes == [0, 1, 2, 3, 4] && image.etag == service.etag)
            #expect(image.url.string == "abs://photos/team%20photo%2B%C3%A9.jpg")
            #expect(try await fetcher.fetch(url, part: 1..<4).bytes == [1, 2, 3])
            let date = "Sun, 06 Nov 1994 08:49:37 GMT"
            let conditions = FetchConditions(url: url, etag: service.etag, lastModified: date)
            #expect(try await fetcher.fetch(url, unless: conditions).isUnchanged)
        }
        #expect(origin.requests.count == 3)
    }

    @Test func `a blob is fetched with a shared access signature, which errors do not contain`() async throws {
        let origin = TestOrigin { request in
            request.query == "sv=2022-11-02&sr=c&sig=a%2Bb%3D" && request.headers[.authorization] == nil
                ? .file([1]) : BlobService.error("AuthenticationFailed", .forbidden)
        }
        try await origin.running { endpoint in
            let fetcher = try azure(endpoint, .init(signature: "?sv=2022-11-02&sr=c&sig=a%2Bb%3D"))
            #expect(try await fetcher.fetch(fetcher.url("abs://photos/a.jpg")).bytes == [1])
            let other = try azure(endpoint, .init(signature: "sv=2022-11-02&sig=wrong"))
            let error = await #expect(throws: FetchError.self) {
                try await other.fetch(other.url("abs://photos/a.jpg"))
            }
            #expect("\(String(describing: error))".contains("AuthenticationFailed: expected a key, or a shared access"))
            #expect(!"\(String(describing: error))".contains("wrong"))
        }
    }

    @Test func `a wrong key, a missing blob and another container are reported`() async throws {
        let service = BlobService()
        let origin = TestOrigin { service.response(to: $0) }
        try await origin.running { endpoint in
            let wrong = try azure(endpoint, .init(key: "AAAA"))
            await #expect(throws: FetchError.self) { try await wrong.fetch(wrong.url("abs://photos/a.jpg")) }
            let fetcher = try azure(endpoint, key)
            await #expect(throws: FetchError.notFound(status: 404)) {
                try await fetcher.fetch(fetcher.url("abs://photos/none.jpg"))
            }
            #expect(fetcher.refusal(of: try fetcher.url("abs://other/a.jpg")) != nil)
            #expect(throws: FetchError.self) { try fetcher.url("gs://photos/a.jpg") }
            #expect(throws: FetchError.self) { try fetcher.url("s3://photos/a.jpg") }
        }
        #expect(origin.requests.count == 2)
    }

    @Test(arguments: ["", "?", "sv=1", "sig=a b", "sig=a\r\nX: y", "sig=é"])
    func `a text that is not a shared access signature is rejected`(text: String) {
        #expect(AzureConfiguration.Credentials(signature: text) == nil)
    }

    @Test(arguments: ["", "a key", "AAAA\n", "=", "AAAAA"])
    func `a text that is not a Base64 key is rejected`(text: String) {
        #expect(AzureConfiguration.Credentials(key: text) == nil)
    }

    @Test(arguments: [
        "abs://", "abs://photos", "abs://photos/", "abs:photos/a", "abs://photos/a?sv=1", "abs://photos/a#b",
        "abs://photos/../a", "gs://", "gs://photos", "gs://photos/a?generation=1", "gs://photos/%2e%2e/a",
    ])
    func `URLs that do not name an object are rejected`(text: String) {
        #expect(throws: FetchError.self) { try SourceURL(text) }
    }

    // MARK: Google

    /// A storage service with its token service; the token changes with each request for a token.
    private final class GoogleService: Sendable {
        private let tokens = Atomic(0)
        let key: RSAKey
        init(_ key: RSAKey) { self.key = key }

        func response(to request: TestOrigin.Request) -> TestOrigin.Response {
            guard request.path != "/token" else { return token(request) }
            guard request.headers[.authorization] == "Bearer ya29.token-\(tokens.load(ordering: .relaxed))" else {
                return BlobService.error("AccessDenied", .forbidden)
            }
            return request.path == "/photos/team%20photo.jpg"
                ? .file([7]) : BlobService.error("NoSuchKey", .notFound)
        }

        /// "Using OAuth 2.0 for Server to Server Applications": checks the assertion's form, claims and signature.
        private func token(_ request: TestOrigin.Request) -> TestOrigin.Response {
            let start = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion="
            let body = String(decoding: request.body, as: UTF8.self)
            let parts = body.dropFirst(start.count).split(separator: ".", omittingEmptySubsequences: false)
            guard request.method == "POST", body.hasPrefix(start), parts.count == 3,
                request.headers[.contentType] == "application/x-www-form-urlencoded",
                let head = object(parts[0]), head == ["alg": "RS256", "typ": "JWT", "kid": "key-1"],
                let claims = object(parts[1]), claims["iss"] == "headroom@project.iam.gserviceaccount.com",
                claims["scope"] == "https://www.googleapis.com/auth/devstorage.read_only",
                claims["aud"]?.hasSuffix("/token") == true,
                Base64.bytes(parts[2].utf8) == key.signature(of: Array("\(parts[0]).\(parts[1])".utf8))
            else { return .init(status: .badRequest, body: Array("{\"error\":\"invalid_grant\"}".utf8)) }
            let number = tokens.add(1, ordering: .relaxed).newValue
            let text = """
                {"access_token":"ya29.token-\(number)", "expires_in": 3599, "token_type":"Bearer"}
                """
            return .init(status: .ok, body: Array(text.utf8))
        }

        /// The members of a JSON object that are text.
        private func object(_ part: Substring) -> [String: String]? {
            guard let bytes = Base64.bytes(part.utf8), !part.contains("="),
                let values = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
            else { return nil }
            return values.compactMapValues { $0 as? String }
        }
    }

    private func google(_ endpoint: String, key: String, id: String = "key-1") throws -> ImageFetcher {
        let account = try #require(
            GoogleAccount(
                email: "headroom@project.iam.gserviceaccount.com",
                keyID: id,
                privateKey: key,
                tokenURL: try WebURL("\(endpoint)/token")
            )
        )
        let role = S3RoleConnection.role(.google(account), FetchOutlet(), userAgent: "Headroom/test")
        let google = try GoogleConfiguration(
            endpoint: try WebURL(endpoint),
            buckets: try #require(S3BucketList("photos")),
            account: role
        )
        return try .wary(ports: [80, 443]) {
            $0.rules.google = google
            $0.timeout = .seconds(60)
        }
    }

    @Test(.enabled(if: TestCertificates.isInstalled, Comment(rawValue: TestCertificates.advice)))
    func `an object is fetched with a token for a signed assertion, which later fetches use again`() async throws {
        let certificates = try await TestCertificates()
        try await certificates.makeRSAKey("rsa")
        let pem = try String(contentsOfFile: certificates.keyPath("rsa"), encoding: .utf8)
        let service = GoogleService(try #require(RSAKey(pem: pem)))
        let origin = TestOrigin { service.response(to: $0) }
        try await origin.running { endpoint in
            let fetcher = try google(endpoint, key: pem)
            let url = try fetcher.url("gs://photos/team%20photo.jpg")
            for _ in 0..<2 { #expect(try await fetcher.fetch(url).bytes == [7]) }
            await #expect(throws: FetchError.notFound(status: 404)) {
                try await fetcher.fetch(fetcher.url("gs://photos/none.jpg"))
            }
            let other = try google(endpoint, key: pem, id: "key-2")
            let error = await #expect(throws: FetchError.self) { try await other.fetch(url) }
            #expect("\(String(describing: error))".contains("the service account headroom@project"))
            #expect(!"\(String(describing: error))".contains("PRIVATE KEY"))
        }
        #expect(origin.requests.map(\.path).count { $0 == "/token" } == 2)
    }

    @Test(.enabled(if: TestCertificates.isInstalled, Comment(rawValue: TestCertificates.advice)))
    func `the signature of an RSA key equals the signature of openssl, and other keys are rejected`() async throws {
        let certificates = try await TestCertificates()
        try await certificates.makeRSAKey("rsa")
        let pem = try String(contentsOfFile: certificates.keyPath("rsa"), encoding: .utf8)
        let key = try #require(RSAKey(pem: pem))
        for bytes in [[], [1, 2, 3], [UInt8](repeating: 9, count: 10_000)] as [[UInt8]] {
            let expected = try await certificates.signature(of: bytes, with: "rsa")
            #expect(key.signature(of: bytes) == expected)
        }
        let curve = try String(contentsOfFile: certificates.keyPath("ca"), encoding: .utf8)
        for text in [curve, "", "text", String(pem.dropLast(100)), String(repeating: "A", count: 40_000)] {
            #expect(RSAKey(pem: text) == nil)
        }
    }
}
