import Batch
import FaceDetection
import Fetching
import Geometry
import Imaging
import Pipeline
import Synchronization
import TestImages
import Testing
import Workers

/// Runs a batch with a detector that counts its calls, and with a clock that does not wait.
final class TestRun: Sendable {
    private struct Counting: FaceDetector {
        let run: TestRun
        let name = "counting"
        let smallestDetectableSide = 80

        mutating func detect(in image: LumaImage, threshold: Double) throws -> [Detection] {
            let count = run.callCount.add(1, ordering: .relaxed).newValue
            if count == run.lastSearch.load(ordering: .relaxed) { run.stop.request() }
            if run.detectorFails.load(ordering: .relaxed) { throw DetectionError.failed(reason: "broken") }
            return [Detection(box: PixelRect(image.size), confidence: 1)]
        }
    }

    let folder: Folder
    let stop = StopRequest()
    /// The number of the detection during which a stop is requested; 0 for none.
    let lastSearch = Atomic(0)
    /// Whether every detection fails.
    let detectorFails = Atomic(false)
    private let callCount = Atomic(0)
    private let slept = Mutex<[Duration]>([])

    init() throws { folder = try Folder() }

    /// The number of detections so far.
    var searches: Int { callCount.load(ordering: .relaxed) }

    /// The waits before retries.
    var sleeps: [Duration] { slept.withLock { $0 } }

    /// A configuration with `out` as its output folder.
    func configuration(_ parameters: [(String, String)] = [("aspect", "1:1")]) -> BatchConfiguration {
        var configuration = BatchConfiguration(
            target: .folder(folder.place("out")),
            results: folder.place("out/results.jsonl")
        )
        configuration.parameters = parameters.map { .init(name: $0.0, value: $0.1) }
        configuration.inWork = 4
        configuration.window = 6
        configuration.retries.jitter = { 1 }
        return configuration
    }

    /// Writes small images with different content: `in/0.png` and so on.
    func draw(_ count: Int) throws {
        for number in 0..<count {
            let face = DrawnFace(x: 2 + number % 40, y: 2, side: 12)
            try folder.write(try DrawnImage(width: 64, height: 32, faces: [face]).png(), to: "in/\(number).png")
        }
    }

    @discardableResult
    func run(
        _ configuration: BatchConfiguration,
        _ arguments: [String]? = nil,
        kind: InputKind? = nil,
        keys: KeyRule = .stem,
        endpoint: String? = nil,
        report: @escaping @Sendable (BatchProgress) -> Void = { _ in },
        failed: @escaping @Sendable (BatchFailure) -> Void = { _ in }
    ) async throws -> (end: BatchRun.End, tally: BatchTally) {
        let model = FaceDetectorModel(name: "counting") { Counting(run: self) }
        let service = try WorkerService(
            model: model,
            limits: PipelineLimits(),
            pool: .init(workers: 2, queueLimit: 64, maxBytesInFlight: 1 << 30)
        )
        var fetching = FetchConfiguration(userAgent: "Test/1")
        fetching.allowsPrivateSources = true
        if let endpoint { fetching.rules.s3 = try Self.service(endpoint) }
        let clock = BatchClock(now: { .now }, sleep: { time in self.slept.withLock { $0.append(time) } })
        let run = BatchRun(configuration, clock: clock, stop: stop, failed: failed, report: report)
        let store = ObjectStore(fetching)
        return try await run.run(
            BatchInputs(
                arguments ?? [folder.place("in")],
                kind: kind,
                keys: keys,
                excluding: configuration.target.excluded,
                buckets: store.map { ObjectReader($0, retries: configuration.retries, pause: { _ in }) }
            ),
            service: service,
            fetcher: ImageFetcher(configuration: fetching),
            store: store
        )
    }

    /// Resumes a stopped run in the same folder.
    static func rest(
        of other: TestRun,
        _ configuration: BatchConfiguration
    ) async throws -> (end: BatchRun.End, tally: BatchTally) {
        let next = try TestRun()
        return try await next.run(configuration, [other.folder.place("in")])
    }

    /// A service for buckets at an address.
    static func service(_ endpoint: String) throws -> S3Configuration {
        S3Configuration(
            endpoint: try WebURL(endpoint),
            buckets: try #require(S3BucketList("*")),
            credentials: try #require(S3Credentials(accessKeyID: "AKID", secretAccessKey: "hidden"))
        )
    }
}
