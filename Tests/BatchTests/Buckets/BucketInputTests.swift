import Batch
import Fetching
import HTTPTypes
import TestHTTP
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct BucketInputTests {
    /// The rows for the arguments, with buckets that contain these objects.
    private func rows(
        _ objects: [String: [UInt8]],
        _ arguments: [String],
        kind: InputKind? = nil,
        output: String? = nil
    ) async throws -> [String] {
        let buckets = TestBuckets()
        buckets.objects = objects
        return try await buckets.origin().running { endpoint in
            try Rows.of(arguments, kind: kind, in: try Folder(), output: output, buckets: try reader(endpoint))
        }
    }

    private func reader(_ endpoint: String) throws -> ObjectReader {
        var configuration = FetchConfiguration(userAgent: "Test/1")
        configuration.timeout = .seconds(60)
        configuration.rules.s3 = try TestRun.service(endpoint)
        return ObjectReader(try #require(ObjectStore(configuration)), retries: RetryPolicy(), pause: { _ in })
    }

    private static let objects = Dictionary(
        uniqueKeysWithValues: [
            "p/a.jpg", "p/b/c d.png", "p/b/notes.txt", "p/.hidden/e.jpg", "p/.f.jpg", "p/out/g.jpg", "p/z.WEBP",
            "q/h.gif",
        ].map { ("photos/\($0)", [UInt8(1)]) }
    )

    @Test(
        arguments: [
            (
                "s3://photos/p/", nil,
                [
                    "a<s3://photos/p/a.jpg", "b/c d<s3://photos/p/b/c%20d.png", "out/g<s3://photos/p/out/g.jpg",
                    "z<s3://photos/p/z.WEBP",
                ]
            ),
            (
                "s3://photos/p/", "s3://photos/p/out",
                ["a<s3://photos/p/a.jpg", "b/c d<s3://photos/p/b/c%20d.png", "z<s3://photos/p/z.WEBP"]
            ),
            ("s3://photos/q", nil, ["photos/q<s3://photos/q"]),
            ("s3://photos/absent/", nil, []),
            ("s3://photos/p/*.jpg", nil, ["p/a<s3://photos/p/a.jpg"]),
            ("s3://photos/*/[a-h].???", nil, ["p/a<s3://photos/p/a.jpg", "q/h<s3://photos/q/h.gif"]),
            ("s3://photos/p/a.jpg", nil, ["photos/p/a<s3://photos/p/a.jpg"]),
        ] as [(String, String?, [String])]
    )
    func `a folder in a bucket and a pattern are lists of images`(
        argument: String,
        output: String?,
        expected: [String]
    ) async throws {
        #expect(try await rows(Self.objects, [argument], output: output) == expected)
    }

    @Test func `a whole bucket is a folder, and so is a prefix with --from folder`() async throws {
        #expect(try await rows(["b/x.jpg": [1]], ["s3://b"]) == ["x<s3://b/x.jpg"])
        #expect(try await rows(Self.objects, ["s3://photos/q"], kind: .folder) == ["h<s3://photos/q/h.gif"])
    }

    @Test func `lists and archives in a bucket are read like files`() async throws {
        let members =
            TestArchive.member("a.jpg", [UInt8](repeating: 7, count: 2 << 20)) + TestArchive.member("a.cls", [1])
            + TestArchive.member("b.png", [4])
        let objects = [
            "b/l.txt": Array("x.jpg\nhttps://h/y.png".utf8), "b/l.jsonl": Array("{\"file\":\"a.jpg\"}\n!\n".utf8),
            "b/l.csv": Array("url\ns3://b/k.jpg\n".utf8), "b/s.tar": members + TestArchive.end, "b/empty.txt": [],
        ]
        let names = ["l.txt", "l.jsonl", "l.csv", "s.tar", "empty.txt"]
        let found = try await rows(objects, names.map { "s3://b/\($0)" })
        #expect(
            found == [
                "x<x.jpg", "h/y<https://h/y.png", "a<a.jpg", "!invalid-row@2", "b/k<s3://b/k.jpg",
                "a<s3://b/s.tar:a.jpg+a.cls", "b<s3://b/s.tar:b.png",
            ]
        )
    }

    @Test func `a temporary failure is retried, and the last failure is an error of the run`() async throws {
        let failures = Counter()
        let buckets = TestBuckets { _ in failures.next() <= 3 ? .init(status: .serviceUnavailable) : nil }
        buckets.objects["b/x.jpg"] = [1]
        try await buckets.origin().running { endpoint in
            let reader = try reader(endpoint)
            #expect(try Rows.of(["s3://b/"], in: try Folder(), buckets: reader) == ["x<s3://b/x.jpg"])
            buckets.fail { _ in .init(status: .serviceUnavailable) }
            #expect(throws: BatchError.self) { try Rows.of(["s3://b/"], in: try Folder(), buckets: reader) }
            buckets.fail { _ in TestBuckets.error("NoSuchBucket", .notFound) }
            #expect(throws: BatchError.self) { try Rows.of(["s3://b/"], in: try Folder(), buckets: reader) }
        }
        #expect(throws: BatchError.self) { try Rows.of(["s3://b/"], in: try Folder()) }
    }
}
