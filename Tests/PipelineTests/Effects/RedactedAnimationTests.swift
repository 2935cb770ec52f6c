import Admission
import FaceDetection
import Framing
import Geometry
import Imaging
import Pipeline
import TestPacing
import TestImages
import Testing
import Workers

/// Redaction in all frames of an animation, including frames in which the face is missed.
@Suite(.limitedConcurrency) struct RedactedAnimationTests {
    private static let size = PixelSize(width: 300, height: 160)

    /// Frames of 100 ms with a square: white squares are detected, and darker green squares are missed.
    private static func animation(_ squares: [(x: Int, isFound: Bool)?], as format: OutputFormat) throws -> [UInt8] {
        let writer = try AnimationEncoder.begin(format, size: size, plays: 0, quality: 95)
        for (index, square) in squares.enumerated() {
            let image = try TestImage.rgb(size) { x, y in
                guard let square, (square.x..<square.x + 30).contains(x), (70..<100).contains(y) else {
                    // All frames differ, so that none are merged.
                    return (20, 30, UInt8(60 + 2 * index))
                }
                return square.isFound ? (255, 255, 255) : (0, 190, 0)
            }
            try writer.add(image, milliseconds: 100)
        }
        return try writer.finish()
    }

    private func run(_ source: [UInt8], _ change: (inout FrameJob) -> Void = { _ in }) async throws -> FrameResult {
        let service = try WorkerService(
            model: FaceDetectorModel(name: "bright") { BrightDetector() },
            limits: PipelineLimits(),
            pool: .init(workers: 1, queueLimit: 4, maxBytesInFlight: 256 << 20)
        )
        var job = FrameJob(source: source, target: .image(ImageOutput()))
        job.options.accuracy = .low
        job.options.framing.gravity = .center
        job.options.redaction = Redaction(style: .fill)
        change(&job)
        return try await service.run(job)
    }

    /// Whether the animation shows the square at `x`, white or green, in each tenth of a second; equal frames may have
    /// been merged.
    private static func shown(_ image: EncodedImage?, at x: Int) throws -> [Bool] {
        let bytes = try #require(image).bytes
        let stream = try AnimationDecoder.frames(bytes, header: try ImageHeader.read(bytes))
        var shown: [Bool] = []
        while let frame = try stream.next() {
            let isShown = frame.image.planes[1][x: x + 15, y: 85] > 165
            shown += [Bool](repeating: isShown, count: frame.milliseconds / 100)
        }
        return shown
    }

    @Test(arguments: [
        (Int?.some(120), Redaction.Faces.all, Int?.some(1)), (nil, .all, 0), (120, .none, nil),
    ])
    func `the plan contains the number of heads in all frames`(
        x: Int?,
        faces: Redaction.Faces,
        count: Int?
    ) async throws {
        let squares = (0..<6).map { frame in x.map { (x: $0, isFound: frame != 3) } }
        let result = try await run(try Self.animation(squares, as: .gif)) {
            $0.options.redaction = Redaction(style: .fill, faces: faces, areas: [Self.corner])
        }
        #expect(result.plan.source.animation != nil && result.plan.coveredHeads == count)
    }

    private static let corner = Region(x: .share(0), y: .share(0), width: .share(0.1), height: .share(0.1))

    @Test(arguments: [OutputFormat.gif, .webp])
    func `a redaction continues in frames in which the face is missed`(format: OutputFormat) async throws {
        let found = [false, true, true, false, false, true, false].map { (x: 120, isFound: $0) }
        let source = try Self.animation(found, as: format)
        #expect(try Self.shown(try await run(source) { $0.options.redaction = nil }.image, at: 120).allSatisfy(\.self))
        let result = try await run(source)
        #expect(result.image?.format == format)
        #expect(result.plan.redaction == Redaction(style: .fill))
        let shown = try Self.shown(result.image, at: 120)
        #expect(shown.count == 7 && !shown.contains(true))
    }

    @Test(arguments: [RedactionShape.rounded, .oval], [AnimationChoice.auto, .still])
    func `areas are redacted in every frame, even without heads`(
        shape: RedactionShape,
        choice: AnimationChoice
    ) async throws {
        let source = try Self.animation([(120, true), (20, true), (120, true)], as: .webp)
        let region = Region(x: .pixels(110), y: .share(0.4), width: .pixels(60), height: .share(0.4))
        let result = try await run(source) {
            $0.options.animation = choice
            $0.options.redaction = Redaction(style: .fill, faces: .none, shape: shape, areas: [region])
        }
        let bytes = try #require(result.image).bytes
        let header = try ImageHeader.read(bytes)
        if choice == .still {
            let still = try ImageDecoder.decode(bytes, header: header).luma()
            #expect((122...132).contains(still[x: 135, y: 85]))
        } else {
            #expect(try Self.shown(result.image, at: 120).allSatisfy { !$0 })
            #expect(try Self.shown(result.image, at: 20).contains(true))
        }
    }

    @Test func `a redaction without detections ends after a time`() async throws {
        let squares = (0..<30).map { (x: 120, isFound: $0 < 3) }
        let shown = try Self.shown(try await run(try Self.animation(squares, as: .webp)).image, at: 120)
        #expect(shown.prefix(13).allSatisfy { !$0 } && shown.suffix(10).allSatisfy(\.self))
    }

    @Test func `a face that some frames lack can be selected by its number`() async throws {
        let squares = [(20, true), (20, true), (230, true), (230, true)].map { (x: $0.0, isFound: $0.1) }
        let source = try Self.animation(squares, as: .webp)
        let plan = try await run(source).plan
        let first = try #require(plan.faces.firstIndex { $0.box.x < 100 })
        let result = try await run(source) {
            $0.options.redaction = Redaction(style: .fill, faces: .numbers([first + 1]))
        }
        #expect(try Self.shown(result.image, at: 20) == [false, false, false, false])
        #expect(try Self.shown(result.image, at: 230) == [false, false, true, true])
    }

    @Test func `an animation whose output is a still image is redacted`() async throws {
        let source = try Self.animation([(120, true), (120, true)], as: .gif)
        for change: (inout FrameJob) -> Void in [
            { $0.options.animation = .still },
            { $0.target = .image(ImageOutput(format: .png)) },
            {
                var output = ImageOutput(format: .webp)
                // 400 bytes are too few for the animation, but enough for the still image.
                output.maxBytes = 400
                $0.target = .image(output)
            },
        ] {
            let result = try await run(source, change)
            let bytes = try #require(result.image).bytes
            let image = try ImageDecoder.decode(bytes, header: try ImageHeader.read(bytes))
            let rgb = try Resampler.resample(
                image,
                region: FractionalRect(PixelRect(image.size)),
                to: image.size,
                model: .rgb
            )
            #expect((100...150).contains(rgb.planes[1][x: 135, y: 85]))
        }
    }

    /// A GIF of 100×100 pixels in which each frame changes one pixel, which takes 23 bytes per frame.
    private static func flicker(_ frames: Int) -> [UInt8] {
        let size = PixelSize(width: 100, height: 100)
        let first = GIFFile.Frame(PixelRect(size)) { x, y in UInt8((x / 9 + y / 7) % 4) }
        let others = (1..<frames).map { index in
            GIFFile.Frame(PixelRect(x: index % 100, y: index / 100 * 7 % 100, width: 1, height: 1)) { _, _ in
                UInt8(index % 4)
            }
        }
        let palette: [GIFFile.RGB] = [(0, 0, 0), (90, 90, 90), (170, 170, 170), (255, 255, 255)]
        return GIFFile(size, palette: palette, frames: [first] + others).bytes
    }

    @Test func `frames that hardly differ are searched once for both redaction and stickers`() async throws {
        let detector = BoxDetector()
        let service = try WorkerService(
            model: detector.model,
            limits: PipelineLimits(),
            pool: .init(workers: 1, queueLimit: 4, maxBytesInFlight: 256 << 20)
        )
        var job = FrameJob(source: Self.flicker(1000), target: .image(ImageOutput()))
        job.options.redaction = Redaction(style: .fill)
        job.options.stickers = [
            Sticker(name: "halo", content: .drawn(.halo), anchor: .head, width: 1, unit: .face)
        ]
        let result = try await service.run(job)
        #expect(result.image?.format == .gif && result.plan.source.animation?.frames == 1000)
        // Without a limit, 2,000 frames with three rotated passes took 8,000 detection passes.
        #expect(detector.shown.count < 300)
        #expect(detector.shown.reduce(0) { $0 + $1.area } < 100_000_000)
    }

    @Test func `a job stops when its time limit is reached`() async throws {
        var limits = PipelineLimits()
        limits.maxTime = .zero
        let service = try WorkerService(
            model: BoxDetector().model,
            limits: limits,
            pool: .init(workers: 1, queueLimit: 4, maxBytesInFlight: 256 << 20)
        )
        var job = FrameJob(source: Self.flicker(9), target: .image(ImageOutput()))
        job.options.redaction = Redaction(style: .fill)
        let error = await #expect(throws: PipelineError.self) { try await service.run(job) }
        guard case .tookTooLong(.zero) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `an animation costs more than a still image, according to its first bytes`() throws {
        let size = PixelSize(width: 8, height: 8)
        let still = try TestImage.gradient(size)
        func cost(_ source: [UInt8], _ change: (inout FrameJob) -> Void = { _ in }) -> JobCost {
            var job = FrameJob(source: source, target: .image(ImageOutput()))
            change(&job)
            return job.cost
        }
        for format in OutputFormat.allCases where format != .gif {
            #expect(cost(try ImageEncoder.encode(still, as: format)) == .usual, "\(format)")
        }
        for format in OutputFormat.allCases where format.keepsAnimation {
            let writer = try AnimationEncoder.begin(format, size: size, plays: 0)
            for step in 0..<3 {
                let image = try TestImage.rgb(size) { x, _ in (UInt8(80 * step), UInt8(x), 9) }
                try writer.add(image, milliseconds: 100)
            }
            let file = try writer.finish()
            #expect(cost(file) == .high, "\(format)")
            #expect(cost(file) { $0.options.animation = .still } == .usual)
            #expect(cost(file) { $0.target = .portraits(ImageOutput()) } == .usual)
        }
    }
}
