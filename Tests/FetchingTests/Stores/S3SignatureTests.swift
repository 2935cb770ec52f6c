import Fetching
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct S3SignatureTests {
    /// The credentials and the time from the examples in the S3 API reference.
    private func documented() throws -> S3Signature {
        let credentials = try #require(
            S3Credentials(
                accessKeyID: "AKIAIOSFODNN7EXAMPLE",
                secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
            )
        )
        return S3Signature(credentials, region: "us-east-1", at: UnixTime(clamping: 1_369_353_600))
    }

    @Test(arguments: [
        ("/test.txt", "", ["range": "bytes=0-9"], "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"),
        ("/", "lifecycle=", [:], "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
        ("/", "max-keys=2&prefix=J", [:], "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
    ])
    func `signatures equal the documented examples`(
        path: String,
        query: String,
        others: [String: String],
        expected: String
    ) throws {
        let host = "examplebucket.s3.amazonaws.com"
        let fields = try documented().fields(host: host, path: path, query: query, others: others)
        let value = try #require(fields.first { $0.name == "authorization" }?.value)
        #expect(value.hasSuffix("Signature=\(expected)"))
        let scope = "AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request"
        #expect(value.hasPrefix("AWS4-HMAC-SHA256 Credential=\(scope), SignedHeaders=host;"))
        #expect(fields.contains { $0 == ("x-amz-date", "20130524T000000Z") })
    }

    @Test func `the signature of a body equals the documented example`() throws {
        let fields = try documented().fields(
            host: "examplebucket.s3.amazonaws.com",
            method: "PUT",
            path: "/test%24file.text",
            others: ["date": "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY"],
            body: "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072"
        )
        let value = try #require(fields.first { $0.name == "authorization" }?.value)
        #expect(value.hasSuffix("Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"))
    }

    /// The expected values are from botocore 1.44.
    @Test(
        arguments: [
            (
                "http://minio:9000", "s3://photos/team%20photo+a(é)'.jpg", nil,
                "http://minio:9000/photos/team%20photo%2Ba%28%C3%A9%29%27.jpg",
                "de3ba99d243c94c87e52f834d793a999b972e8fbe079beb07d9b4117243fde25"
            ),
            (
                nil, "s3://photos/a.jpg?versionId=3sL4kqtJlcpXroDTDmJ%2BrmSpXd3dIbrHY", nil,
                "https://photos.s3.eu-central-1.amazonaws.com/a.jpg?versionId=3sL4kqtJlcpXroDTDmJ%2BrmSpXd3dIbrHY",
                "fb1fe91653564d0d4144268d7ec496d7e918804b2e37686d46cbcd830b60883d"
            ),
            (
                "https://x.supabase.co/storage/v1/s3/", "s3://photos/a%20b.jpg", nil,
                "https://x.supabase.co/storage/v1/s3/photos/a%20b.jpg",
                "29600ae7fd25f927f891287d0e835d4471b68756c78cda917f9bb2de63a370c1"
            ),
            (
                "http://minio:9000", "s3://photos/a.jpg", "FwoGZXIvYXdzEBY//token==",
                "http://minio:9000/photos/a.jpg", "066ea3a201d2180f178be3a990b8a97eb3ce5c8cf892a250b32fe2916a6dfd2c"
            ),
        ] as [(String?, String, String?, String, String)]
    )
    func `requests equal the requests of another implementation`(
        endpoint: String?,
        object: String,
        token: String?,
        url: String,
        signature: String
    ) throws {
        let credentials = try #require(
            S3Credentials(
                accessKeyID: "AKIDEXAMPLE",
                secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
                sessionToken: token
            )
        )
        let configuration = S3Configuration(
            endpoint: try endpoint.map { try WebURL($0) },
            region: "eu-central-1",
            buckets: try #require(S3BucketList("photos")),
            credentials: credentials
        )
        guard case .object(let object) = try SourceURL(object) else { throw FetchError.invalidURL(object) }
        let request = try configuration.request(for: object, at: UnixTime(clamping: 1_772_352_930))
        #expect(request.url.string == url)
        #expect(request.fields.first { $0.name == "authorization" }?.value.hasSuffix("Signature=\(signature)") == true)
        #expect(request.fields.first { $0.name == "x-amz-security-token" }?.value == token)
    }

    @Test(
        arguments: [
            (nil, "us-east-1", nil, "photos", "https://photos.s3.us-east-1.amazonaws.com/a.jpg"),
            (nil, "cn-north-1", nil, "photos", "https://photos.s3.cn-north-1.amazonaws.com.cn/a.jpg"),
            // Certificates cover only one level of subdomains.
            (nil, "us-east-1", nil, "my.photos", "https://s3.us-east-1.amazonaws.com/my.photos/a.jpg"),
            (nil, "us-east-1", nil, "Photos", "https://s3.us-east-1.amazonaws.com/Photos/a.jpg"),
            (nil, "us-east-1", true, "photos", "https://s3.us-east-1.amazonaws.com/photos/a.jpg"),
            ("https://s3.example.com", "auto", nil, "photos", "https://s3.example.com/photos/a.jpg"),
            ("https://s3.example.com/a/b", "auto", nil, "photos", "https://s3.example.com/a/b/photos/a.jpg"),
            ("https://s3.example.com/a/b/", "auto", false, "photos", "https://photos.s3.example.com/a/b/a.jpg"),
            ("https://s3.example.com:8443", "auto", false, "photos", "https://photos.s3.example.com:8443/a.jpg"),
        ] as [(String?, String, Bool?, String, String)]
    )
    func `the bucket is in the host or in the path`(
        endpoint: String?,
        region: String,
        usesPathStyle: Bool?,
        bucket: String,
        expected: String
    ) throws {
        let configuration = S3Configuration(
            endpoint: try endpoint.map { try WebURL($0) },
            region: region,
            usesPathStyle: usesPathStyle,
            buckets: try #require(S3BucketList("*")),
            credentials: try #require(S3Credentials(accessKeyID: "a", secretAccessKey: "b"))
        )
        guard case .object(let object) = try SourceURL("s3://\(bucket)/a.jpg") else {
            throw FetchError.invalidURL(bucket)
        }
        #expect(try configuration.request(for: object, at: UnixTime(clamping: 0)).url.string == expected)
    }

    @Test(arguments: [
        ("https://h", true), ("http://h:9000/", true), ("https://h/storage/v1/s3", true), ("https://h/a/", true),
        ("https://h/?a=b", false), ("https://h/a//b", false), ("https://h/a%20b", false), ("https://h/a+b", false),
        ("https://h/a?b", false),
    ])
    func `the path of an endpoint must be plain`(text: String, isEndpoint: Bool) throws {
        #expect(try S3Configuration.isEndpoint(WebURL(text)) == isEndpoint)
    }
}
