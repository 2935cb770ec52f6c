import Batch
import Geometry
import HTTPTypes
import Imaging
import Synchronization
import TestHTTP
import TestPacing
import TestImages
import Testing

@Suite(.limitedConcurrency) struct BatchFetchTests {
    @Test func `temporary failures are retried with growing delays`() async throws {
        let test = try TestRun()
        let image = try DrawnImage(width: 64, height: 32).png()
        let tries = Mutex<[String: Int]>([:])
        let origin = TestOrigin { request in
            let count = tries.withLock { tries in
                tries[request.path, default: 0] += 1
                return tries[request.path] ?? 0
            }
            return switch request.path {
            case "/late.png": count < 3 ? .init(status: .serviceUnavailable) : .file(image)
            case "/never.png": .init(status: .badGateway)
            case "/limit.png": count < 2 ? .init(status: .tooManyRequests) : .file(image)
            case "/secret.png": .init(status: .forbidden)
            default: .init(status: .notFound)
            }
        }
        try await origin.running { address in
            let urls = ["late", "never", "limit", "secret", "gone"].map { "\(address)/\($0).png\n" }.joined()
            let list = try test.folder.write(urls, to: "urls.txt")
            var configuration = test.configuration()
            configuration.failureLimit = .count(3)
            configuration.inWork = 1
            let (end, tally) = try await test.run(configuration, [list])
            #expect(end == .complete)
            #expect(tally.done == 2 && tally.failed == 3 && tally.retries == 6)
        }
        #expect(
            tries.withLock { $0 } == [
                "/late.png": 3, "/never.png": 4, "/limit.png": 2, "/secret.png": 1, "/gone.png": 1,
            ]
        )
        let waits: [Duration] = [0.5, 1, 0.5, 1, 2, 0.5].map { .seconds($0) }
        #expect(test.sleeps == waits)
        let types = try ResultsFile(test.folder).keys.compactMap { $0.split(separator: "!").dropFirst().first }
        #expect(types == ["source-failed", "source-failed", "source-not-found"])
    }

    @Test func `a backdrop is fetched once for all rows, and a missing backdrop is an error of its row`() async throws {
        let size = PixelSize(width: 60, height: 40)
        func file(_ color: @escaping (_ x: Int) -> TestImage.RGB) throws -> [UInt8] {
            try ImageEncoder.encode(TestImage.rgb(size) { x, _ in color(x) }, as: .png)
        }
        let test = try TestRun()
        let scene = try file { $0 < 30 ? (0, 177, 64) : (128, 128, 128) }
        let red = try file { _ in (200, 10, 10) }
        let place = try test.folder.write(scene, to: "in/scene.png")
        let origin = TestOrigin { $0.path == "/red.png" ? .file(red) : .init(status: .notFound) }
        try await origin.running { address in
            let rows = [("a", "red"), ("b", "red"), ("c", "gone")].map { key, name in
                #"{"file": "\#(place)", "key": "\#(key)", "backdropUrl": "\#(address)/\#(name).png"}"#
            }
            let list = try test.folder.write(rows.joined(separator: "\n"), to: "jobs.jsonl")
            let parameters = [("gravity", "center"), ("format", "png"), ("chromaKey", "00b140")]
            try await test.run(test.configuration(parameters), [list])
        }
        #expect(origin.requests.map(\.path).sorted() == ["/gone.png", "/red.png"])
        let results = try ResultsFile(test.folder)
        #expect(results.keys == ["a", "b", "c!source-not-found"])
        #expect(results.details == ["The backdrop: No image found at this URL."])
        for key in ["a", "b"] {
            let output = try test.folder.read("out/\(key).png")
            let image = try ImageDecoder.decode(output, header: ImageHeader.read(output))
            #expect(image.planes.map { $0[x: 5, y: 20] } == [200, 10, 10], "\(key)")
            #expect(image.planes.map { $0[x: 50, y: 20] } == [128, 128, 128], "\(key)")
        }
    }

    @Test func `a stop ends the delay before a retry, and a later run processes the job`() async throws {
        let test = try TestRun()
        let image = try DrawnImage(width: 64, height: 32).png()
        let origin = TestOrigin { request in
            if request.path == "/0.png" { test.stop.request() }
            return request.path == "/1.png" ? .file(image) : .init(status: .serviceUnavailable)
        }
        try await origin.running { address in
            let list = try test.folder.write("\(address)/0.png\n\(address)/1.png\n", to: "urls.txt")
            var configuration = test.configuration()
            configuration.inWork = 1
            let (end, tally) = try await test.run(configuration, [list])
            #expect(end == .stopped)
            #expect(tally.done + tally.failed == 0)
        }
        #expect(try ResultsFile(test.folder).keys.isEmpty)
    }

    @Test func `delays grow up to a limit`() {
        var policy = RetryPolicy()
        policy.jitter = { 0.5 }
        let waits: [Duration] = [0.25, 0.5, 1, 15, 15].map { .seconds($0) }
        #expect([1, 2, 3, 7, 100].map { policy.delay(after: $0) } == waits)
    }

    @Test(
        arguments: [
            ("0", FailureLimit.count(0)), ("12", .count(12)), ("1%", .percent(1)), ("2.5%", .percent(2.5)), ("", nil),
            ("-1", nil), ("101%", nil), ("%", nil), ("x", nil),
        ] as [(String, FailureLimit?)]
    )
    func `a failure limit is a number or a percentage`(text: String, limit: FailureLimit?) {
        #expect(FailureLimit(text) == limit)
    }

    @Test func `a percentage of failures refers to all images`() {
        #expect(!FailureLimit.percent(1).isExceeded(1, of: 100))
        #expect(FailureLimit.percent(1).isExceeded(2, of: 100))
        #expect(!FailureLimit.percent(0).isExceeded(0, of: 0))
        #expect(FailureLimit.count(0).isExceeded(1, of: 100))
    }

    @Test(arguments: ["", "{aspect}", "{key", "{keys}", "a.jpg", "{key}{}"])
    func `a name template without a key or with unknown placeholders is rejected`(text: String) {
        #expect(throws: BatchError.self) { try OutputName(text) }
    }
}
