import FaceDetection
import Framing
import Geometry
import Imaging
import Pipeline
import TestPacing
import TestImages
import Testing
import Workers

/// Jobs with a detector that finds given boxes.
@Suite(.limitedConcurrency) struct WorkerServiceTests {
    private static let size = PixelSize(width: 1600, height: 800)
    /// The boxes, the larger one first, as in outputs.
    private static let faces = [
        PixelRect(x: 1200, y: 300, width: 160, height: 160), PixelRect(x: 100, y: 200, width: 100, height: 100),
    ]
    private static let jpeg = Result {
        let drawn = faces.map { DrawnFace(x: $0.x, y: $0.y, side: $0.width) }
        return try DrawnImage(width: size.width, height: size.height, faces: drawn).jpeg()
    }

    private func service(_ detector: BoxDetector, limits: PipelineLimits = PipelineLimits()) throws -> WorkerService {
        try WorkerService(
            model: detector.model,
            limits: limits,
            pool: .init(workers: 1, queueLimit: 4, maxBytesInFlight: 256 << 20)
        )
    }

    private func run(
        _ response: FrameJob.Target,
        detector: BoxDetector = BoxDetector(Self.faces, in: Self.size),
        limits: PipelineLimits = PipelineLimits(),
        _ change: (inout FrameJob) -> Void = { _ in }
    ) async throws -> FrameResult {
        var job = FrameJob(source: try Self.jpeg.get(), target: response)
        job.options.accuracy = .low
        change(&job)
        return try await service(detector, limits: limits).run(job)
    }

    private func error(
        _ response: FrameJob.Target,
        detector: BoxDetector = BoxDetector(Self.faces, in: Self.size),
        limits: PipelineLimits = PipelineLimits(),
        _ change: (inout FrameJob) -> Void = { _ in }
    ) async -> PipelineError? {
        await #expect(throws: PipelineError.self) {
            _ = try await run(response, detector: detector, limits: limits, change)
        }
    }

    @Test func `a custom detector gets the working size, and its boxes are converted to source pixels`()
        async throws
    {
        let detector = BoxDetector(Self.faces, in: Self.size)
        let result = try await run(.plan, detector: detector)
        #expect(detector.shown == [PixelSize(width: 960, height: 480)])
        #expect(result.image == nil)
        #expect(result.plan.detector?.name == "boxes")
        #expect(result.plan.detector?.passes.map(\.workingSize) == [PixelSize(width: 960, height: 480)])
        for (face, expected) in zip(result.plan.faces, Self.faces) {
            #expect(abs(face.box.x - expected.x) <= 2 && abs(face.box.y - expected.y) <= 2)
            #expect(abs(face.box.width - expected.width) <= 3)
            #expect(face.head == HeadGrowth.head(nil).grown(face.box, in: Self.size))
            #expect(face.pose == nil)
        }
        #expect(result.plan.faces.count == 2)
    }

    @Test func `faces are sorted by size, regardless of the detector's order`() async throws {
        let detector = BoxDetector(Self.faces.reversed(), in: Self.size)
        let boxes = try await run(.plan, detector: detector).plan.faces.map(\.box.x)
        #expect(boxes == boxes.sorted(by: >))
    }

    @Test func `boxes that cross the edge are clipped, and boxes outside the image are dropped`() async throws {
        let boxes = [
            PixelRect(x: -50, y: -50, width: 200, height: 200), PixelRect(x: 1700, y: 100, width: 100, height: 100),
            PixelRect(x: 100, y: 100, width: 0, height: 0),
        ]
        let plan = try await run(.plan, detector: BoxDetector(boxes, in: Self.size)).plan
        #expect(plan.faces.count == 1)
        #expect(plan.faces.first.map { PixelRect(Self.size).contains($0.box) } == true)
        #expect(plan.faces.first.map { PixelRect(Self.size).contains($0.head) } == true)
    }

    @Test func `the crop contains the heads and has the requested size`() async throws {
        let result = try await run(.image(ImageOutput())) {
            $0.options.aspects = [AspectRatio(1, 1)]
            $0.options.resultSize.width = 300
        }
        let image = try #require(result.image)
        #expect(image.size == PixelSize(width: 300, height: 300))
        #expect(try ImageHeader.read(image.bytes).size == image.size)
        #expect(result.plan.crops[0].rect.contains(Self.faces[0]))
        #expect(result.plan.crops[0].decision == .faces)
        #expect(result.plan.faces.map(result.plan.keeps) == [true, false])
    }

    @Test func `a gravity without faces runs no detector unless the response contains faces`() async throws {
        let detector = BoxDetector(Self.faces, in: Self.size)
        let image = try await run(.image(ImageOutput()), detector: detector) { $0.options.framing.gravity = .center }
        #expect(detector.shown.isEmpty)
        #expect(image.plan.detector == nil)
        let plan = try await run(.plan, detector: detector) { $0.options.framing.gravity = .center }
        #expect(detector.shown.count == 1)
        #expect(plan.plan.faces.count == 2)
        #expect(plan.plan.crops[0].decision == .center)
    }

    @Test func `for a tight zoom the image is decoded again, and the output is as sharp as the source`() async throws {
        let box = PixelRect(x: 2400, y: 600, width: 320, height: 320)
        let face = DrawnFace(x: box.x, y: box.y, side: box.width)
        let original = DrawnImage(width: 3200, height: 1600, faces: [face])
        let source = try original.jpeg()
        var job = FrameJob(source: source, target: .image(ImageOutput(format: .png)))
        job.options.accuracy = .low
        job.options.aspects = [AspectRatio(1, 1)]
        job.options.resultSize.width = 400
        job.options.framing.zoom = 1
        let zoomed = try await service(BoxDetector([box], in: original.size)).run(job)
        let crop = zoomed.plan.crops[0]
        let header = try ImageHeader.read(source)
        let decodePlan = DecodePlan(job: job, header: header, needs: PyramidNeeds(smallestDetectableSide: 80))
        #expect(decodePlan.firstScale == DecodeScale(eighths: 4))
        #expect(decodePlan.scale(for: crop) == .full)
        let image = try #require(zoomed.image)
        let luma = try ImageDecoder.decodeLuma(image.bytes, header: try ImageHeader.read(image.bytes))
        // The reference: the same crop of the whole image, scaled in one step.
        let whole = try ImageDecoder.decodeLuma(source, header: header)
        let expected = try Resampler.resample(whole, region: FractionalRect(crop.rect), to: image.size)
        var difference = 0
        for y in 0..<image.size.height {
            for x in 0..<image.size.width { difference += abs(Int(luma[x: x, y: y]) - Int(expected[x: x, y: y])) }
        }
        #expect(Double(difference) / Double(image.size.area) < 2)
    }

    @Test func `a single face can be cropped`() async throws {
        for index in 1...2 {
            let result = try await run(.face(index: index, ImageOutput()))
            let crop = result.plan.crops[0]
            #expect(crop.decision == .face(index))
            #expect(crop.rect.contains(result.plan.faces[index - 1].head))
            #expect(crop.rect.width < 3 * Self.faces[index - 1].width)
            #expect(result.image?.size == crop.rect.size)
            #expect(try await run(.facePlan(index: index)).plan.crops[0].rect == crop.rect)
        }
        let square = try await run(.face(index: 2, ImageOutput())) { $0.options.aspects = [AspectRatio(1, 1)] }
        #expect(square.plan.crops[0].rect.width == square.plan.crops[0].rect.height)
        #expect(square.plan.crops[0].rect.contains(square.plan.faces[1].head))
    }

    @Test(arguments: [0, 3, -1, Int.max, Int.min + 1])
    func `the number of a face that does not exist is an error`(index: Int) async throws {
        guard case .noSuchFace(index, 2) = await error(.face(index: index, ImageOutput())) else {
            Issue.record("unexpected error")
            return
        }
    }

    @Test func `an image without faces uses the fallback, or is an error if requested`() async throws {
        let blind = BoxDetector()
        let result = try await run(.image(ImageOutput()), detector: blind) {
            $0.options.aspects = [AspectRatio(4, 1)]
            $0.options.framing.fallback = .center
        }
        #expect(result.plan.crops[0].decision == .fallback(.center))
        #expect(result.plan.crops[0].rect.size == PixelSize(width: 1600, height: 400))
        let whole = try await run(.image(ImageOutput()), detector: blind) {
            $0.options.aspects = [AspectRatio(4, 1)]
            $0.options.framing.fallback = .original
            $0.options.resultSize.width = 400
        }
        #expect(whole.image?.size == PixelSize(width: 200, height: 100))
        let none = await error(.plan, detector: blind) { $0.options.framing.fallback = .error }
        guard case .framing(.noFace(.faces)) = none else {
            Issue.record("unexpected error: \(String(describing: none))")
            return
        }
    }

    @Test func `every requested aspect ratio is planned`() async throws {
        let crops = try await run(.plan) { $0.options.aspects = [AspectRatio(1, 1), nil, AspectRatio(1, 3)] }.plan.crops
        #expect(crops.map(\.aspect?.text) == ["1:1", nil, "1:3"])
        #expect(crops.map(\.rect.size.width) == [800, 1600, 267])
    }

    @Test func `a detector's error contains its name, and the worker stays usable`() async throws {
        let failure = await error(.plan, detector: BoxDetector(isBroken: true))
        guard case .detector(let message) = failure else {
            Issue.record("unexpected error: \(String(describing: failure))")
            return
        }
        #expect(message.hasPrefix("boxes: "))
    }

    @Test func `limits apply to sources and outputs`() async throws {
        let small = PipelineLimits(decode: DecodeLimits(maxPixels: 1600 * 800 - 1))
        guard case .codec(.tooLarge(_, .pixels)) = await error(.plan, limits: small) else {
            Issue.record("the source was accepted")
            return
        }
        let result = PipelineLimits(maxResultPixels: 1600 * 800)
        let enlarged = await error(.image(ImageOutput()), limits: result) {
            $0.options.resultSize.width = 1602
            $0.options.resultSize.allowsEnlargement = true
        }
        guard case .resultTooLarge(PixelSize(width: 1602, height: 801), 1600 * 800) = enlarged else {
            Issue.record("unexpected error: \(String(describing: enlarged))")
            return
        }
    }

    @Test func `bytes that are not an image never reach the detector`() async throws {
        let detector = BoxDetector()
        let job = FrameJob(source: Array("hello".utf8), target: .plan)
        let service = try service(detector)
        let failure = await #expect(throws: PipelineError.self) { try await service.run(job) }
        guard case .codec(.unsupportedFormat) = failure else {
            Issue.record("unexpected error: \(String(describing: failure))")
            return
        }
        #expect(detector.shown.isEmpty)
        #expect(service.load.running == 0)
    }

    @Test(arguments: [(Accuracy.low, [0]), (.high, [0, 0, 90, 270, 180])])
    func `an image without faces is searched in all four orientations except with low accuracy`(
        accuracy: Accuracy,
        turns: [Int]
    ) async throws {
        let image = DrawnImage(width: 600, height: 300, faces: [])
        var job = FrameJob(source: try image.jpeg(), target: .plan)
        job.options.accuracy = accuracy
        let plan = try await service(BoxDetector([], in: image.size)).run(job).plan
        #expect(plan.detector?.passes.map(\.turn) == turns)
    }

    @Test func `the same person is found in an image that is rotated by a right angle`() async throws {
        let image = DrawnImage(width: 600, height: 300, faces: [DrawnFace(x: 400, y: 100, side: 100)])
        let detector = BoxDetector([PixelRect(x: 400, y: 100, width: 100, height: 100)], in: image.size)
        let job = FrameJob(source: try image.sidewaysJPEG(), target: .plan)
        let plan = try await service(detector).run(job).plan
        #expect(plan.source.size == image.size)
        #expect(plan.source.orientation == 6)
        #expect(plan.faces.first.map { abs($0.box.x - 400) <= 1 } == true)
    }
}

@Suite(.limitedConcurrency) struct ImageOutputTests {
    @Test(arguments: [
        (nil as OutputFormat?, [] as [OutputFormat], InputFormat.png, OutputFormat.png),
        (.jpeg, [.png], .png, .jpeg), (nil, [.jpeg], .png, .jpeg), (nil, [.jpeg, .png], .png, .png),
        (nil, [.png, .jpeg], .jpeg, .jpeg),
    ])
    func `the output has the requested format, or the source's format if accepted, or the best accepted format`(
        asked: OutputFormat?,
        accepted: [OutputFormat],
        source: InputFormat,
        expected: OutputFormat
    ) {
        #expect(ImageOutput(format: asked, accepted: accepted).resolved(for: source) == expected)
    }

    @Test func `an image with alpha gets the best accepted format that keeps it`() {
        #expect(ImageOutput(accepted: [.jpeg, .webp]).resolved(for: .png, hasAlpha: true) == .webp)
        #expect(ImageOutput(accepted: [.jpeg, .webp]).resolved(for: .png, hasAlpha: false) == .jpeg)
        #expect(ImageOutput(accepted: [.jpeg]).resolved(for: .png, hasAlpha: true) == .jpeg)
    }

    @Test func `a read-only format is converted to JPEG, or to a format that keeps alpha`() {
        #expect(ImageOutput().resolved(for: .gif) == .jpeg)
        #expect(ImageOutput().resolved(for: .gif, hasAlpha: true) == .png)
        #expect(ImageOutput(accepted: [.webp, .jpeg]).resolved(for: .gif) == .webp)
        #expect(ImageOutput(accepted: [.jpeg, .webp]).resolved(for: .gif, hasAlpha: true) == .webp)
        #expect(ImageOutput(accepted: [.jpeg]).resolved(for: .gif, hasAlpha: true) == .jpeg)
        #expect(ImageOutput(format: .webp).resolved(for: .gif) == .webp)
        #expect(ImageOutput.formats(for: .gif) == [.jpeg, .png, .gif] && ImageOutput.formats(for: .webp) == [.webp])
    }

    #if AVIF
    @Test(
        arguments: [
            ([.avif, .jpeg, .png, .webp], InputFormat.jpeg, true, OutputFormat.avif),
            ([.avif, .jpeg, .png, .webp], .jpeg, false, .jpeg), ([.avif], .jpeg, false, .jpeg),
            ([.avif], .png, false, .png),
            ([.jpeg, .avif], .jpeg, true, .jpeg), ([.webp, .avif], .jpeg, true, .webp),
            ([.jpeg, .png, .webp], .avif, true, .jpeg),
            ([], .avif, true, .avif), ([], .avif, false, .jpeg), ([], .jpeg, true, .jpeg),
            ([.avif, .webp], .webp, true, .avif),
        ] as [([OutputFormat], InputFormat, Bool, OutputFormat)]
    )
    func `an expensive format is used if it has the highest weight and is allowed`(
        accepted: [OutputFormat],
        source: InputFormat,
        pays: Bool,
        expected: OutputFormat
    ) {
        #expect(ImageOutput(accepted: accepted).resolved(for: source, allowsExpensive: pays) == expected)
    }

    @Test(arguments: [(399, OutputFormat.jpeg), (400, .avif)])
    func `AVIF outputs have a pixel limit`(limit: Int, format: OutputFormat) async throws {
        let source = try DrawnImage(width: 40, height: 20, faces: []).jpeg()
        let service = try WorkerService(
            model: BoxDetector([], in: PixelSize(width: 40, height: 20)).model,
            limits: PipelineLimits(maxExpensivePixels: limit * 2),
            pool: .init(workers: 1, queueLimit: 8, maxBytesInFlight: 256 << 20)
        )
        let accepting = ImageOutput(accepted: [.avif, .jpeg])
        let image = try #require(try await service.run(FrameJob(source: source, target: .image(accepting))).image)
        #expect(image.format == format && OutputFormat.sniff(image.bytes) == format)
        let asking = FrameJob(source: source, target: .image(ImageOutput(format: .avif)))
        if format == .avif {
            #expect(try await service.run(asking).image?.format == .avif)
        } else {
            let error = await #expect(throws: PipelineError.self) { try await service.run(asking) }
            guard case .formatTooLarge(.avif, PixelSize(width: 40, height: 20), maxPixels: limit * 2) = error else {
                Issue.record("\(error as Any)")
                return
            }
        }
    }

    @Test func `a lossless source stays lossless, regardless of Accept`() async throws {
        let source = try DrawnImage(width: 40, height: 20, faces: []).png()
        let service = try WorkerService(
            model: BoxDetector([], in: PixelSize(width: 40, height: 20)).model,
            limits: PipelineLimits(),
            pool: .init(workers: 1, queueLimit: 8, maxBytesInFlight: 256 << 20)
        )
        let output = ImageOutput(accepted: [.avif, .jpeg, .png, .webp])
        #expect(try await service.run(FrameJob(source: source, target: .image(output))).image?.format == .png)
    }

    @Test func `a job's memory includes the encoder's memory if the output may need it`() throws {
        let header = try ImageHeader.read(try DrawnImage(width: 800, height: 600, faces: []).jpeg())
        func bytes(_ output: ImageOutput, _ limits: PipelineLimits = PipelineLimits()) -> Int {
            let job = FrameJob(source: [], target: .image(output))
            return DecodePlan(job: job, header: header, needs: PyramidNeeds(smallestDetectableSide: 80), limits: limits)
                .bytesNeeded
        }
        let jpeg = bytes(ImageOutput(format: .jpeg))
        // aom takes 14 MiB for an image of this size.
        #expect(bytes(ImageOutput(format: .avif)) > jpeg + 14 << 20)
        #expect(bytes(ImageOutput(accepted: [.avif, .jpeg])) == bytes(ImageOutput(format: .avif)))
        #expect(bytes(ImageOutput(accepted: [.avif, .jpeg]), PipelineLimits(maxExpensivePixels: 1000)) == jpeg)
    }
    #endif
}
