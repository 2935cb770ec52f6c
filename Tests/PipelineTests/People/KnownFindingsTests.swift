import BinaryCoding
import FaceDetection
import Framing
import Geometry
import Imaging
import Pipeline
import TestPacing
import TestImages
import Testing
import Workers

/// Jobs with known detections.
@Suite(.limitedConcurrency) struct KnownFindingsTests {
    private static let size = PixelSize(width: 2400, height: 1800)
    private static let jpeg = Result {
        try DrawnImage(
            width: size.width,
            height: size.height,
            faces: [DrawnFace(x: 400, y: 500, side: 420), DrawnFace(x: 1500, y: 700, side: 300)]
        ).jpeg()
    }

    /// A face that the fast pass finds, and a face that only finer passes find.
    private static let unequal = Result {
        try DrawnImage(
            width: size.width,
            height: size.height,
            faces: [DrawnFace(x: 400, y: 500, side: 420), DrawnFace(x: 1900, y: 1300, side: 110)]
        ).jpeg()
    }

    private func service(_ model: FaceDetectorModel? = nil) throws -> WorkerService {
        try WorkerService(
            model: try model ?? .dlib,
            limits: PipelineLimits(),
            pool: .init(workers: 1, queueLimit: 4, maxBytesInFlight: 512 << 20)
        )
    }

    private func job(_ response: FrameJob.Target, _ change: (inout FrameJob) -> Void = { _ in }) throws -> FrameJob {
        var job = FrameJob(source: try Self.jpeg.get(), target: response)
        job.options.aspects = [AspectRatio(PixelSize(width: 1, height: 1))]
        change(&job)
        return job
    }

    private static let changes: [@Sendable (inout FrameJob) -> Void] = [
        { $0.options.resultSize.width = 120 },
        { $0.options.resultSize.width = 700 },
        { $0.options.resultSize.width = 1700 },
        { $0.options.framing.zoom = 1 },
        {
            $0.options.framing.zoom = 0.7
            $0.options.resultSize.width = 300
        },
        { $0.options.framing.gravity = .attention },
        { $0.options.framing.gravity = .face(9) },
        { $0.options.framing.fit = .pad },
    ]

    /// The detections in the test's image.
    private func findings(_ service: WorkerService) async throws -> DetectionResult {
        try #require(await service.outcome(of: try job(.plan)).findings)
    }

    @Test(arguments: changes.indices)
    func `an image is the same with and without known detections`(index: Int) async throws {
        let service = try service()
        let findings = try await findings(service)
        for response in [
            FrameJob.Target.image(ImageOutput()), .debug(ImageOutput(), showsCrop: true),
            .face(index: 2, ImageOutput()),
        ] {
            var job = try job(response, Self.changes[index])
            let fresh = try await service.run(job)
            job.findings = findings
            let outcome = await service.outcome(of: job)
            #expect(outcome.findings == nil, "known detections were computed again")
            let known = try outcome.result.get()
            #expect(fresh.plan.faces.count == 2 || !job.needsFaces)
            #expect(known.image?.bytes == fresh.image?.bytes)
            #expect(known.times.detect == .zero)
            #expect(known.plan.detector?.isKnown != false && fresh.plan.detector?.isKnown != true)
        }
    }

    /// Options whose outputs depend on pixels outside the crop, or on more detection passes.
    private static let outputs: [@Sendable (inout FrameJob) -> Void] = [
        { $0.options.placeholder = .thumbhash },
        { $0.options.placeholder = .blurhash },
        {
            $0.options.placeholder = .thumbhash
            $0.options.resultSize.width = 40
            $0.options.aspects = [AspectRatio(PixelSize(width: 3, height: 1)), nil]
        },
        {
            $0.options.placeholder = .blurhash
            $0.options.framing.fit = .pad
            $0.options.background = .blur
        },
        {
            $0.options.placeholder = .thumbhash
            $0.options.framing.fit = .pad
            $0.options.background = .average
            $0.options.filters = [.mono]
        },
        {
            $0.options.placeholder = .thumbhash
            $0.options.framing.zoom = 0.8
            $0.options.accuracy = .low
        },
        {
            $0.options.placeholder = .blurhash
            $0.options.trim = 8
            $0.options.resultSize.width = 60
        },
        {
            $0.options.placeholder = .thumbhash
            $0.options.region = Region(x: .share(0.1), y: .share(0.1), width: .share(0.8), height: .share(0.7))
        },
        { $0.options.redaction = Redaction(style: .fill) },
        {
            $0.options.redaction = Redaction(style: .blur, faces: .others)
            $0.options.accuracy = .low
            $0.options.resultSize.width = 300
        },
    ]

    @Test(arguments: outputs.indices, [false, true])
    func `every output is the same with and without known detections`(index: Int, isStandard: Bool) async throws {
        let service = try service(isStandard ? .standard : .dlib)
        for response in [FrameJob.Target.plan, .image(ImageOutput())] {
            var job = FrameJob(source: try Self.unequal.get(), target: response)
            job.options.aspects = [AspectRatio(PixelSize(width: 1, height: 1))]
            Self.outputs[index](&job)
            let first = await service.outcome(of: job)
            let fresh = try first.result.get()
            job.findings = first.findings
            let known = try await service.run(job)
            #expect(known.image?.bytes == fresh.image?.bytes)
            #expect(known.plan.crops.map(\.placeholder) == fresh.plan.crops.map(\.placeholder))
            #expect(known.plan.coveredHeads == fresh.plan.coveredHeads)
            #expect((fresh.plan.crops[0].placeholder == nil) == (job.options.placeholder == nil))
        }
    }

    @Test func `a job with known detections does not run the detector`() async throws {
        let detector = BoxDetector([PixelRect(x: 400, y: 500, width: 420, height: 420)], in: Self.size)
        let service = try service(detector.model)
        let findings = try await findings(service)
        let first = try await service.run(try job(.plan))
        let shown = detector.shown.count
        var second = try job(.image(ImageOutput()))
        second.findings = findings
        let result = try await service.run(second)
        #expect(detector.shown.count == shown)
        #expect(result.plan.faces.map(\.box) == first.plan.faces.map(\.box))
    }

    @Test func `a job that fails after detection reports its detections`() async throws {
        let service = try service()
        var portrait = try job(.face(index: 9, ImageOutput()))
        let first = await service.outcome(of: portrait)
        #expect(throws: PipelineError.self) { try first.result.get() }
        #expect(first.findings != nil)
        portrait.findings = first.findings
        let second = await service.outcome(of: portrait)
        #expect(throws: PipelineError.self) { try second.result.get() }
        #expect(second.findings == nil)
    }

    @Test func `detections for another image or detector are not used`() async throws {
        let detector = BoxDetector([PixelRect(x: 400, y: 500, width: 420, height: 420)], in: Self.size)
        let service = try service(detector.model)
        var small = FrameJob(source: try DrawnImage(width: 640, height: 480).jpeg(), target: .plan)
        small.findings = try await findings(service)
        #expect(try await service.run(small).plan.detector?.isKnown == false)
        var other = try job(.plan)
        other.findings = try await findings(self.service())
        #expect(try await service.run(other).plan.detector?.isKnown == false)
    }

    /// Encoded detections with one face; the values can be invalid.
    private struct Told: Encodable {
        struct Somebody: Encodable {
            var box = PixelRect(x: 400, y: 500, width: 420, height: 420)
            var confidence = 1.0
            var finder = Detection.Finder.detector
            var isConfirmed = false
            var subject: Subject
        }

        var size = KnownFindingsTests.size
        var detectorName = "boxes"
        var faces: [Somebody]
        var ignored: [IgnoredFace] = []
        var passes: [DetectionPass] = []
        var isDamaged = false

        func isTaken() throws -> Bool {
            DetectionResult(decoding: try BinaryCoder.bytes(of: self), detectorName: "boxes", limits: PipelineLimits())
                != nil
        }
    }

    @Test func `detections with an invalid score or a face outside its head are rejected`() throws {
        let head = PixelRect(x: 380, y: 300, width: 480, height: 640)
        let face = PixelRect(x: 400, y: 450, width: 420, height: 480)
        #expect(try Told(faces: [.init(subject: Subject(face: face, head: head))]).isTaken())
        for score in [1e308, -1e308, .infinity, .nan] {
            let somebody = Told.Somebody(confidence: score, subject: Subject(face: face, head: head))
            #expect(try !Told(faces: [somebody]).isTaken(), "\(score)")
        }
        let elsewhere = PixelRect(x: 1500, y: 450, width: 420, height: 480)
        #expect(try !Told(faces: [.init(subject: Subject(face: elsewhere, head: head))]).isTaken())
        for (sharpness, isPossible) in [(0, true), (1000, true), (-1, false), (1001, false), (Int.max, false)] {
            var subject = Subject(face: face, head: head)
            subject.sharpness = sharpness
            #expect(try Told(faces: [.init(subject: subject)]).isTaken() == isPossible, "\(sharpness)")
        }
    }

    @Test func `detections are preserved by encoding, and other bytes are rejected`() async throws {
        let findings = try await findings(service())
        let bytes = try BinaryCoder.bytes(of: findings)
        let (name, limits) = (findings.detectorName, PipelineLimits())
        let again = try #require(DetectionResult(decoding: bytes, detectorName: name, limits: limits))
        #expect(try BinaryCoder.bytes(of: again).count == bytes.count)
        #expect(DetectionResult(decoding: bytes, detectorName: "another", limits: limits) == nil)
        let tight = PipelineLimits(decode: DecodeLimits(maxPixels: 1_000_000))
        #expect(DetectionResult(decoding: bytes, detectorName: name, limits: tight) == nil)
        for count in 0..<bytes.count {
            #expect(DetectionResult(decoding: Array(bytes[..<count]), detectorName: name, limits: limits) == nil)
        }
        // Changed bytes are rejected, or the decoded detections can be used for a crop.
        let service = try service()
        var generator = SeededGenerator(seed: 7)
        for round in 0..<400 {
            var changed = bytes
            for _ in 0...(round % 3) {
                changed[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
                    in: 0...255,
                    using: &generator
                )
            }
            guard let strange = DetectionResult(decoding: changed, detectorName: name, limits: limits) else { continue }
            var job = try job(.plan)
            job.findings = strange
            job.options.framing.zoom = 1
            _ = try? await service.run(job)
        }
    }
}
