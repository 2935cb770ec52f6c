import Fetching
import Foundation
import HTTPTypes
import Synchronization
import TestHTTP
import TestPacing
import Testing

/// AWS roles, with test origins as the services.
@Suite(.limitedConcurrency) struct S3RoleTests {
    private static func json(_ id: String, until end: String = "2099-01-01T00:00:00Z") -> [UInt8] {
        Array(
            """
            {"Code" : "Success", "Type": "AWS-HMAC", "AccessKeyId" : "\(id)", "SecretAccessKey":"se\\/cret+",
             "Token" : "to\\/ken==", "Expiration" : "\(end)", "AccountId": null}
            """.utf8
        )
    }

    private func role(_ environment: [String: String], usesInstance: Bool = false) throws -> S3Role {
        let source = try S3RoleSource.named(environment, region: "eu-central-1", usesInstance: usesInstance)
        return S3RoleConnection.role(try #require(source), FetchOutlet(), userAgent: "Headroom/test")
    }

    @Test func `a service account gets its role's credentials with the token from its file`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "token")
        try Data("ey.J.token+1\n".utf8).write(to: file)
        let origin = TestOrigin { _ in
            let body = """
                <AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
                <AssumeRoleWithWebIdentityResult><Credentials><AccessKeyId>ASIA1</AccessKeyId>
                <SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken>
                <Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleWithWebIdentityResult>
                </AssumeRoleWithWebIdentityResponse>
                """
            return .init(status: .ok, body: Array(body.utf8))
        }
        try await origin.running { endpoint in
            let role = try role([
                "AWS_WEB_IDENTITY_TOKEN_FILE": file.path, "AWS_ROLE_ARN": "arn:aws:iam::1:role/a",
                "AWS_ENDPOINT_URL_STS": endpoint,
            ])
            #expect(try role.current().accessKeyID == "ASIA1")
            #expect(try role.current().accessKeyID == "ASIA1")
        }
        #expect(origin.requests.count == 1)
        let request = try #require(origin.requests.first)
        #expect(request.method == "POST")
        #expect(
            String(decoding: request.body, as: UTF8.self)
                == "Action=AssumeRoleWithWebIdentity&Version=2011-06-15&RoleArn=arn%3Aaws%3Aiam%3A%3A1%3Arole%2Fa"
                + "&RoleSessionName=headroom&WebIdentityToken=ey.J.token%2B1"
        )
    }

    @Test func `a container gets credentials from its agent`() async throws {
        let origin = TestOrigin { request in
            guard request.path == "/v2/credentials/1", request.headers[.authorization] == "Basic abc" else {
                return .init(status: .forbidden)
            }
            return .init(status: .ok, body: Self.json("ASIA2"))
        }
        try await origin.running { endpoint in
            let role = try role([
                "AWS_CONTAINER_CREDENTIALS_FULL_URI": "\(endpoint)/v2/credentials/1",
                "AWS_CONTAINER_AUTHORIZATION_TOKEN": "Basic abc",
            ])
            #expect(try role.current().accessKeyID == "ASIA2")
        }
    }

    @Test func `an instance gets credentials with a session token of version 2`() async throws {
        let origin = TestOrigin { request in
            let session = HTTPField.Name("X-aws-ec2-metadata-token")
            switch (request.method, request.path) {
            case ("PUT", "/latest/api/token"): return .init(status: .ok, body: Array("sess==".utf8))
            case ("GET", _) where session.flatMap({ request.headers[$0] }) != "sess==":
                return .init(status: .unauthorized)
            case ("GET", "/latest/meta-data/iam/security-credentials/"):
                return .init(status: .ok, body: Array("the-role\n".utf8))
            case ("GET", "/latest/meta-data/iam/security-credentials/the-role"):
                return .init(status: .ok, body: Self.json("ASIA3"))
            default: return .init(status: .notFound)
            }
        }
        try await origin.running { endpoint in
            let role = try role(["AWS_EC2_METADATA_SERVICE_ENDPOINT": endpoint])
            #expect(try role.current().accessKeyID == "ASIA3")
        }
        #expect(origin.requests.map(\.method) == ["PUT", "GET", "GET"])
    }

    @Test func `requests for objects contain the session token, which is signed`() async throws {
        let origin = TestOrigin { request in
            request.path == "/role" ? .init(status: .ok, body: Self.json("ASIA4")) : .file([1])
        }
        try await origin.running { endpoint in
            let role = try role(["AWS_CONTAINER_CREDENTIALS_FULL_URI": "\(endpoint)/role"])
            let s3 = S3Configuration(
                endpoint: try WebURL(endpoint),
                buckets: try #require(S3BucketList("photos")),
                credentials: .role(role)
            )
            let fetcher = ImageFetcher.local { $0.rules.s3 = s3 }
            _ = try await fetcher.fetch("s3://photos/a.jpg")
            _ = try await fetcher.fetch("s3://photos/b.jpg")
        }
        #expect(origin.requests.map(\.path) == ["/role", "/photos/a.jpg", "/photos/b.jpg"])
        let fields = try #require(origin.requests.last).headers
        #expect(fields[try #require(HTTPField.Name("x-amz-security-token"))] == "to/ken==")
        let authorization = fields[.authorization] ?? ""
        #expect(authorization.contains("Credential=ASIA4/"))
        #expect(authorization.contains("SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token,"))
    }

    @Test(arguments: [
        "", "{}", "<html></html>", "[1]", "{\"Code\": \"Failed\"}", "{\"AccessKeyId\": \"a",
        "{\"AccessKeyId\":\"a\",\"SecretAccessKey\":\"b\",\"Token\":\"c\",\"Expiration\":\"soon\"}",
        "{\"AccessKeyId\":\"a\",\"SecretAccessKey\":\"b\",\"Token\":\"c\\n\",\"Expiration\":\"2099-01-01T00:00:00Z\"}",
        "{\"AccessKeyId\":\"a\",\"SecretAccessKey\":\"b\",\"Token\":\"c\",\"Expiration\":\"1999-01-01T00:00:00Z\"}",
    ])
    func `a response without valid credentials is an error that omits its content`(body: String) async throws {
        let origin = TestOrigin { _ in .init(status: .ok, body: Array(body.utf8)) }
        try await origin.running { endpoint in
            let role = try role(["AWS_CONTAINER_CREDENTIALS_FULL_URI": "\(endpoint)/role"])
            for _ in 0..<3 { #expect(throws: FetchError.self) { try role.current() } }
        }
        // After a failure, the next attempt is delayed.
        #expect(origin.requests.count == 1)
    }

    @Test func `a response that is too large is an error of the role, not of an image`() async throws {
        let body = [UInt8](repeating: 0x20, count: 100_000) + Self.json("ASIA5")
        let origin = TestOrigin { _ in .init(status: .ok, body: body) }
        try await origin.running { endpoint in
            let role = try role(["AWS_CONTAINER_CREDENTIALS_FULL_URI": "\(endpoint)/role"])
            let error = #expect(throws: FetchError.self) { try role.current() }
            #expect(error?.kind == "invalidResponse", "\(error.map { "\($0)" } ?? "")")
        }
    }

    @Test func `credentials are renewed before they expire, and the old ones are used if that fails`() throws {
        let clock = Mutex(1000)
        let responses = Mutex<[Result<S3Role.Lease, FetchError>]>([])
        let count = Mutex(0)
        func lease(_ id: String, until end: Int) throws -> Result<S3Role.Lease, FetchError> {
            let keys = try #require(S3Credentials(accessKeyID: id, secretAccessKey: "s", sessionToken: "t"))
            return .success(S3Role.Lease(credentials: keys, end: UnixTime(clamping: end)))
        }
        let role = S3Role("test", now: { UnixTime(clamping: clock.withLock(\.self)) }) {
            count.withLock { $0 += 1 }
            return responses.withLock { $0.removeFirst() }
        }
        func current(at time: Int) throws -> String {
            clock.withLock { $0 = time }
            return try role.current().accessKeyID
        }
        let first = try lease("A1", until: 4600)
        let second = try lease("A2", until: 9000)
        responses.withLock { $0 = [first, .failure(.cancelled), .failure(.cancelled), second, .failure(.cancelled)] }
        #expect(try current(at: 1000) == "A1")
        #expect(try current(at: 4299) == "A1")
        #expect(count.withLock(\.self) == 1)
        // Expects one attempt at first, and no further attempt within ten seconds.
        #expect(try current(at: 4301) == "A1")
        #expect(try current(at: 4305) == "A1")
        #expect(count.withLock(\.self) == 2)
        #expect(try current(at: 4312) == "A1")
        #expect(try current(at: 4323) == "A2")
        #expect(count.withLock(\.self) == 4)
        #expect(throws: FetchError.cancelled) { try current(at: 9000) }
    }

    @Test func `credential sources are searched in the order of AWS's tools`() throws {
        func name(_ environment: [String: String], usesInstance: Bool = false) throws -> String? {
            try S3RoleSource.named(environment, region: "cn-north-1", usesInstance: usesInstance)?.name
        }
        let container = ["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/v2/1"]
        let identity = ["AWS_WEB_IDENTITY_TOKEN_FILE": "/t", "AWS_ROLE_ARN": "arn:r"]
        #expect(try name([:]) == nil)
        #expect(try name([:], usesInstance: true) == "the instance at http://169.254.169.254/")
        #expect(try name(container, usesInstance: true) == "the container at http://169.254.170.2/v2/1")
        #expect(
            try name(container.merging(identity) { $1 })
                == "the role arn:r with the token /t as headroom at https://sts.cn-north-1.amazonaws.com.cn/"
        )
    }

    @Test(arguments: [
        ["AWS_WEB_IDENTITY_TOKEN_FILE": "/t"],
        ["AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://example.com/"],
        ["AWS_CONTAINER_CREDENTIALS_FULL_URI": "ftp://127.0.0.1/"],
        ["AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://10.0.0.1/role"],
        ["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": ".evil.example/"],
    ])
    func `the error for an invalid variable contains its name`(environment: [String: String]) {
        #expect(throws: FetchError.self) {
            try S3RoleSource.named(environment, region: "eu-central-1", usesInstance: false)
        }
    }
}
