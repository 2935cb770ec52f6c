import Fetching
import HTTPTypes
import TestHTTP
import TestPacing
import Testing

/// Lists, reads and writes objects of a test service for buckets.
///
/// `make check-sources` tests an actual service.
@Suite(.limitedConcurrency) struct ObjectStoreTests {
    private func store(_ endpoint: String, buckets: String = "photos") throws -> ObjectStore {
        var configuration = FetchConfiguration(userAgent: "Headroom/test")
        configuration.timeout = .seconds(60)
        configuration.rules.s3 = S3Configuration(
            endpoint: try WebURL(endpoint),
            buckets: try #require(S3BucketList(buckets)),
            credentials: try #require(S3Credentials(accessKeyID: "AKID", secretAccessKey: "hidden"))
        )
        return try #require(ObjectStore(configuration))
    }

    @Test(arguments: [
        ("s3://photos", "photos", ""), ("s3://photos/", "photos", ""), ("S3://photos/a b/", "photos", "a b/"),
        ("s3://photos/a%20b/c*.jpg", "photos", "a b/c*.jpg"), ("s3://photos/caf\u{E9}", "photos", "caf\u{E9}"),
    ])
    func `a place consists of a bucket and a key prefix`(text: String, bucket: String, key: String) throws {
        let place = try ObjectPlace(text)
        #expect(place == ObjectPlace(bucket: bucket, key: key))
        #expect(try ObjectPlace(place.url) == place)
    }

    @Test(arguments: ["s3://", "s3:///a", "http://h/a", "s3://photos/../a", "s3://photos/%2e%2e/a", "s3://photos/%"])
    func `other places are rejected`(text: String) {
        #expect(throws: FetchError.self) { try ObjectPlace(text) }
    }

    @Test func `a list can have several pages and is sorted by bytes`() async throws {
        let buckets = TestBuckets(pageKeys: 2)
        let keys = ["a/1.jpg", "a/2 +&%.jpg", "a/b/3.jpg", "a/\u{E9}.jpg", "a/\u{1F600}.jpg"]
        for key in keys + ["b/4.jpg", "A"] { buckets.objects["photos/\(key)"] = [1] }
        let origin = buckets.origin()
        try await origin.running { endpoint in
            let store = try store(endpoint)
            var (found, last, isTruncated) = ([String](), "", true)
            while isTruncated {
                let page = try store.list(try ObjectPlace("s3://photos/a/"), after: last)
                found += page.keys
                last = page.keys.last ?? ""
                isTruncated = page.isTruncated
            }
            #expect(found == keys)
        }
        #expect(origin.requests.count == 3)
        #expect(origin.requests.allSatisfy { $0.headers[.authorization]?.hasPrefix("AWS4-HMAC-SHA256 ") == true })
    }

    @Test(arguments: [
        "", "<ListBucketResult></ListBucketResult>",
        "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
        "<ListBucketResult><IsTruncated>perhaps</IsTruncated></ListBucketResult>",
        "<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>%</Key></Contents></ListBucketResult>",
        "<ListBucketResult><IsTruncated>false</IsTruncated><Contents></Contents></ListBucketResult>",
        // A listing that starts again would never end.
        "<ListBucketResult><IsTruncated>true</IsTruncated><Contents><Key>a</Key></Contents></ListBucketResult>",
        "<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>d</Key></Contents><Contents><Key>c</Key></Contents></ListBucketResult>",
    ])
    func `an invalid or unsorted list is an error`(body: String) async throws {
        let origin = TestOrigin { _ in .init(status: .ok, body: Array(body.utf8)) }
        try await origin.running { endpoint in
            let store = try store(endpoint)
            #expect(throws: FetchError.self) { try store.list(ObjectPlace(bucket: "photos", key: ""), after: "b") }
        }
    }

    @Test func `all parts of an object have the same version`() async throws {
        let buckets = TestBuckets()
        buckets.objects = ["photos/a": Array(0..<100), "photos/empty": []]
        try await buckets.origin().running { endpoint in
            let store = try store(endpoint)
            let place = try ObjectPlace("s3://photos/a")
            let first = try store.read(place, 10..<20)
            #expect(first.bytes == Array(10..<20) && first.length == 100)
            #expect(try store.read(place, 90..<200, ifMatch: first.etag).bytes == Array(90..<100))
            #expect(try store.read(try ObjectPlace("s3://photos/empty"), 0..<10).bytes.isEmpty)
            buckets.objects["photos/a"] = [1]
            #expect(throws: FetchError.storeRefused(status: 412, reason: "PreconditionFailed")) {
                try store.read(place, 0..<1, ifMatch: first.etag)
            }
            #expect(throws: FetchError.notFound(status: 404)) {
                try store.read(try ObjectPlace("s3://photos/x"), 0..<1)
            }
        }
    }

    @Test func `a service that responds to a range with the whole object is rejected`() async throws {
        try await TestOrigin { _ in .file([1, 2, 3]) }.running { endpoint in
            let store = try store(endpoint)
            #expect(throws: FetchError.self) { try store.read(try ObjectPlace("s3://photos/a"), 0..<3) }
        }
    }

    @Test func `objects are written in one request or in parts`() async throws {
        let buckets = TestBuckets()
        let origin = buckets.origin()
        try await origin.running { endpoint in
            let store = try store(endpoint)
            let bytes = (0..<70_000).map { UInt8(truncatingIfNeeded: $0) }
            try await store.put(bytes, to: try ObjectPlace("s3://photos/a%20b.jpg"), type: "image/jpeg")
            try await store.put([], to: try ObjectPlace("s3://photos/empty"), type: "image/jpeg")
            #expect(buckets.objects == ["photos/a b.jpg": bytes, "photos/empty": []])
            let place = try ObjectPlace("s3://photos/c.tar")
            var upload = try ObjectUpload(store, to: place, type: "application/x-tar")
            try upload.send([1, 2])
            try upload.send([3])
            #expect(buckets.objects["photos/c.tar"] == nil)
            try upload.finish()
            #expect(buckets.objects["photos/c.tar"] == [1, 2, 3] && buckets.uploads.isEmpty)
            let dropped = try ObjectUpload(store, to: place, type: "application/x-tar")
            try store.drop(dropped.name, of: place)
            try store.drop(dropped.name, of: place)
            #expect(buckets.uploads.isEmpty)
        }
        #expect(origin.requests.first?.headers[.contentType] == "image/jpeg")
        #expect(origin.requests.allSatisfy { $0.headers[.expect] == nil })
        #expect(!origin.requests.contains { $0.headers[.contentType]?.contains("form") == true })
    }

    @Test func `an upload whose completion fails after a success status is an error`() async throws {
        let buckets = TestBuckets { request in
            request.method == "POST" && request.query.hasPrefix("uploadId")
                ? TestBuckets.error("InternalError", .ok) : nil
        }
        try await buckets.origin().running { endpoint in
            var upload = try ObjectUpload(try store(endpoint), to: try ObjectPlace("s3://photos/c"), type: "image/png")
            try upload.send([1])
            #expect(throws: FetchError.incomplete("the upload was not finished: InternalError")) { try upload.finish() }
        }
    }

    @Test func `the errors for rejected requests contain the necessary change`() async throws {
        let buckets = TestBuckets { _ in TestBuckets.error("AccessDenied", .forbidden) }
        try await buckets.origin().running { endpoint in
            let store = try store(endpoint)
            let reason = "AccessDenied: expected the permission s3:PutObject"
            await #expect(throws: FetchError.storeRefused(status: 403, reason: reason)) {
                try await store.put([1], to: try ObjectPlace("s3://photos/a"), type: "image/png")
            }
            #expect(throws: FetchError.blocked("others is not an allowed bucket")) {
                try store.list(try ObjectPlace("s3://others/"), after: "")
            }
        }
    }

    @Test func `a part of an object is fetched as a source`() async throws {
        let buckets = TestBuckets()
        buckets.objects["photos/a.tar"] = Array(0..<100)
        try await buckets.origin().running { endpoint in
            var configuration = FetchConfiguration(userAgent: "Headroom/test")
            configuration.timeout = .seconds(60)
            configuration.rules.s3 = S3Configuration(
                endpoint: try WebURL(endpoint),
                buckets: try #require(S3BucketList("*")),
                credentials: try #require(S3Credentials(accessKeyID: "AKID", secretAccessKey: "hidden"))
            )
            let fetcher = ImageFetcher(configuration: configuration)
            let url = try fetcher.url("s3://photos/a.tar")
            #expect(try await fetcher.fetch(url, part: 3..<7).bytes == [3, 4, 5, 6])
            #expect(try await fetcher.fetch(url).bytes.count == 100)
            await #expect(throws: FetchError.self) { try await fetcher.fetch(url, part: 98..<102) }
        }
    }
}
