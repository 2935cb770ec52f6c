import Dispatch
import FaceDetection
import Fetching
import Geometry
import HeadroomAPI
import JobPipe
import Logging
import Pipeline
import Synchronization
import Workers

/// A pipe with a detector that finds one face as large as the image.
final class TestPipe: Sendable {
    private struct Detector: FaceDetector {
        let pipe: TestPipe
        let name = "one"
        let smallestDetectableSide = 80

        mutating func detect(in image: LumaImage, threshold: Double) throws -> [Detection] {
            pipe.begun.add(1, ordering: .relaxed)
            pipe.gate?.wait()
            pipe.gate?.signal()
            return [Detection(box: PixelRect(image.size), confidence: 1)]
        }
    }

    private static let greeting = NaiveMessage(header: #"{"version": 1}"#)

    private let begun = Atomic(0)
    private let gate: DispatchSemaphore?

    /// - Parameter gate: The gate that each detection waits for, until it is signalled once.
    init(gate: DispatchSemaphore? = nil) { self.gate = gate }

    /// The number of detections that have started.
    var searches: Int { begun.load(ordering: .relaxed) }

    /// The image service with a detector that finds this face.
    func images() throws -> ImageService {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let service = try WorkerService(
            model: FaceDetectorModel(name: "one") { Detector(pipe: self) },
            limits: PipelineLimits(),
            pool: .init(workers: 2, queueLimit: 64, maxBytesInFlight: 1 << 30)
        )
        let fetcher = ImageFetcher(configuration: FetchConfiguration(userAgent: "Test/1"), logger: logger)
        return ImageService(
            workers: service,
            caches: ServiceCaches(.none, service: service, fetcher: fetcher, logger: logger),
            queueTimeout: .seconds(600)
        )
    }

    /// The HTTP handler of the same service.
    func handler() throws -> HeadroomHandler {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        return HeadroomHandler(images: try images(), readiness: Readiness(), logger: logger)
    }

    /// Runs messages after a greeting.
    ///
    /// - Returns: The way in which the pipe ended, and the responses without the greeting.
    func run(
        _ messages: [NaiveMessage],
        then rest: [UInt8] = [],
        limits: PipeLimits = PipeLimits(inWork: 4, maxBodyBytes: 1 << 20)
    ) async throws -> (end: JobPipe.End, responses: [NaiveMessage]) {
        let stream = TestStream(([Self.greeting] + messages).flatMap(\.bytes) + rest, piece: 1000)
        let end = try await JobPipe(stream, handler: images(), workers: 2, limits: limits).run()
        return (end, Array((NaiveMessage.all(in: stream.output) ?? []).dropFirst()))
    }

    /// A stream of messages after a greeting.
    static func stream(_ messages: [NaiveMessage]) -> TestStream {
        TestStream(([greeting] + messages).flatMap(\.bytes))
    }
}
