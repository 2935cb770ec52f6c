import FaceDetection
import Framing
import Geometry
import Imaging
import Pipeline
import TestPacing
import TestImages
import Testing
import Workers

/// Redaction in every kind of image that a job outputs.
@Suite(.limitedConcurrency) struct RedactionPipelineTests {
    private static let size = PixelSize(width: 640, height: 320)
    private static let boxes = [
        PixelRect(x: 120, y: 120, width: 90, height: 90), PixelRect(x: 420, y: 130, width: 70, height: 70),
    ]

    private static func noise() throws -> [UInt8] {
        try ImageEncoder.encode(try TestImage.colorNoise(size, seed: 3), as: .png)
    }

    private func service(_ model: FaceDetectorModel) throws -> WorkerService {
        try WorkerService(
            model: model,
            limits: PipelineLimits(),
            pool: .init(workers: 1, queueLimit: 4, maxBytesInFlight: 256 << 20)
        )
    }

    private func run(
        _ response: FrameJob.Target,
        _ faces: Redaction.Faces = .all,
        surest: Double? = nil,
        _ change: (inout FrameJob) -> Void = { _ in }
    ) async throws -> FrameResult {
        let detector = BoxDetector(Self.boxes, in: Self.size, surest: surest)
        var job = FrameJob(source: try Self.noise(), target: response)
        job.options.accuracy = .low
        job.options.redaction = Redaction(style: .fill, faces: faces)
        change(&job)
        return try await service(detector.model).run(job)
    }

    private static func decoded(_ image: EncodedImage?) throws -> PlanarImage {
        let bytes = try #require(image).bytes
        return try ImageDecoder.decode(bytes, header: try ImageHeader.read(bytes))
    }

    /// In an output that shows the whole source: whether all pixels of a source rectangle are grey.
    private static func isFilled(_ box: PixelRect, in image: PlanarImage) -> Bool {
        let x = Double(image.size.width) / Double(size.width)
        return stride(from: 2, to: box.width - 2, by: 5).allSatisfy { across in
            stride(from: 2, to: box.height - 2, by: 5).allSatisfy { down in
                let (column, row) = (Int(Double(box.x + across) * x), Int(Double(box.y + down) * x))
                return image.planes.prefix(3).allSatisfy { abs(Int($0[x: column, y: row]) - 128) <= 3 }
            }
        }
    }

    private static let png = ImageOutput(format: .png)
    private static let corner = Region(x: .share(0), y: .share(0), width: .share(0.1), height: .share(0.1))

    @Test(arguments: [
        (Redaction.Faces.all, [true, true]), (.others, [false, true]), (.numbers([1]), [true, false]),
        (.numbers([2, 1]), [true, true]),
    ])
    func `the selected faces are redacted at every size`(faces: Redaction.Faces, expected: [Bool]) async throws {
        for width in [Int?.none, 200] {
            let result = try await run(.image(Self.png), faces) {
                $0.options.resultSize.width = width
                $0.options.framing.gravity = .center
            }
            let image = try Self.decoded(result.image)
            #expect(Self.boxes.map { Self.isFilled($0, in: image) } == expected)
            #expect(result.plan.faces.count == 2 && result.plan.redaction?.faces == faces)
        }
    }

    @Test(arguments: [
        (Redaction.Faces.all, true, Int?.some(2)), (.others, true, 1), (.numbers([1]), true, 1), (.none, true, nil),
        (.all, false, 0), (.others, false, 0), (.none, false, nil),
    ])
    func `the plan contains the number of redacted heads, with and without an image`(
        faces: Redaction.Faces,
        hasPeople: Bool,
        expected: Int?
    ) async throws {
        let people = hasPeople ? [DrawnFace(x: 120, y: 120, side: 150), DrawnFace(x: 440, y: 130, side: 110)] : []
        let source = try DrawnImage(width: 720, height: 400, faces: people).png()
        let frames = try service(.standard)
        for response in [FrameJob.Target.image(Self.png), .plan, .debug(Self.png, showsCrop: true)] {
            var job = FrameJob(source: source, target: response)
            job.options.framing.gravity = .center
            job.options.redaction = Redaction(style: .fill, faces: faces, areas: [Self.corner])
            #expect(try await frames.run(job).plan.coveredHeads == expected, "\(response)")
        }
    }

    @Test func `the number of a face that does not exist is an error`() async throws {
        let error = await #expect(throws: PipelineError.self) { try await run(.image(Self.png), .numbers([1, 3])) }
        guard case .noSuchFace(3, 2) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `annotated images and face images are redacted`() async throws {
        let debug = try Self.decoded(try await run(.debug(Self.png, showsCrop: false)).image)
        // Annotations are drawn over the redaction.
        let inner = Self.boxes[0]
        #expect((0..<3).allSatisfy { debug.planes[$0][x: inner.x + 40, y: inner.y + 40] == 128 })
        for image in try await run(.portraits(Self.png)).images {
            let face = try Self.decoded(image)
            #expect(face.planes[0][x: face.size.width / 2, y: face.size.height / 2] == 128)
        }
    }

    @Test func `redactFaces=all and others redact weak detections, although they do not count as faces`() async throws {
        // The scores are 0.9 and -0.1.
        for (faces, second) in [(Redaction.Faces.all, true), (.others, true), (.numbers([1]), false)] {
            let result = try await run(.image(Self.png), faces, surest: 0.9) { $0.options.framing.gravity = .center }
            #expect(result.plan.faces.count == 1)
            let image = try Self.decoded(result.image)
            #expect(Self.isFilled(Self.boxes[1], in: image) == second)
        }
    }

    @Test func `bars with the blurred image show no face`() async throws {
        let result = try await run(.image(Self.png)) {
            $0.options.aspects = [AspectRatio(1, 1)]
            $0.options.framing.fit = .pad
            $0.options.background = .blur
        }
        let plan = result.plan.crops[0]
        let image = try Self.decoded(result.image)
        let (x, y) = (plan.image.x + Self.boxes[0].x + 45, plan.image.y + Self.boxes[0].y + 45)
        #expect(image.planes[0][x: x, y: y] == 128)
    }

    @Test func `redaction does not change the plan's crop`() async throws {
        func crop(_ faces: Redaction.Faces?) async throws -> PixelRect {
            try await run(.plan, faces ?? .all) {
                if faces == nil { $0.options.redaction = nil }
                $0.options.aspects = [AspectRatio(1, 1)]
            }.plan.crops[0].rect
        }
        #expect(try await crop(nil) == (try await crop(.all)))
    }

    @Test func `without face detection there is no output`() async throws {
        var job = FrameJob(source: try Self.noise(), target: .image(Self.png))
        job.options.redaction = Redaction(style: .blur)
        #expect(job.withoutFaces == nil && job.needsFaces)
        job.options.framing.gravity = .center
        #expect(job.needsFaces)
        let broken = try service(BoxDetector(isBroken: true).model)
        await #expect(throws: PipelineError.self) { try await broken.run(job) }
    }

    @Test func `lossless crops are rejected`() async throws {
        let source = try DrawnImage(width: 640, height: 400).jpeg()
        var job = FrameJob(source: source, target: .image(ImageOutput(format: .jpeg)))
        job.options.isLossless = true
        job.options.redaction = Redaction(style: .blur)
        let frames = try service(BoxDetector().model)
        await #expect(throws: PipelineError.self) { try await frames.run(job) }
    }

    @Test func `cached detections do not replace face detection`() async throws {
        // An incomplete cache entry must not reveal faces.
        let size = Self.size
        let empty = try service(FaceDetectorModel(name: "boxes") { Blind() })
        var job = FrameJob(source: try Self.noise(), target: .image(Self.png))
        job.options.accuracy = .low
        let known = try #require(await empty.outcome(of: job, by: nil).findings)
        job.findings = known
        job.options.redaction = Redaction(style: .fill)
        let result = try await service(BoxDetector(Self.boxes, in: size).model).run(job)
        #expect(result.plan.detector?.isKnown == true && result.plan.faces.isEmpty)
        let (rect, image) = (result.plan.crops[0].rect, try Self.decoded(result.image))
        let middle = (Self.boxes[0].x + 45 - rect.x, Self.boxes[0].y + 45 - rect.y)
        #expect(image.planes[0][x: middle.0, y: middle.1] == 128)
    }

    /// A detector with the name of ``BoxDetector`` that finds nothing.
    private struct Blind: FaceDetector {
        let name = "boxes"
        let smallestDetectableSide = 80
        mutating func detect(in image: LumaImage, threshold: Double) throws -> [Detection] { [] }
    }

    @Test(arguments: RedactionStyle.allCases)
    func `the detector finds no face in a redacted image`(style: RedactionStyle) async throws {
        let faces = [DrawnFace(x: 120, y: 120, side: 150), DrawnFace(x: 440, y: 130, side: 110)]
        let source = try DrawnImage(width: 720, height: 400, faces: faces).png()
        let frames = try service(.standard)
        for width in [Int?.none, 200] {
            var job = FrameJob(source: source, target: .image(Self.png))
            job.options.redaction = Redaction(style: style)
            job.options.resultSize.width = width
            let result = try await frames.run(job)
            #expect(result.plan.faces.count == 2)
            let again = FrameJob(source: try #require(result.image).bytes, target: .plan)
            #expect(try await frames.run(again).plan.faces.isEmpty)
        }
    }

    @Test func `memory for detection and for the copy is reserved`() throws {
        func bytes(_ redaction: Redaction?) throws -> Int {
            var job = FrameJob(source: try Self.noise(), target: .image(Self.png))
            job.options.accuracy = .low
            job.options.redaction = redaction
            return try MeasuredJob(job, limits: PipelineLimits(), needs: PyramidNeeds(smallestDetectableSide: 80))
                .bytesNeeded
        }
        #expect(try bytes(Redaction(style: .blur)) >= bytes(nil) + Self.size.area * 3)
    }
}
