import FaceDetection
import Framing
import Geometry
import Imaging
import Pipeline
import TestImages
import TestPacing
import Testing
import Workers

/// Frames of videos, and a detector that finds bright squares.
@Suite(.limitedConcurrency) struct VideoFrameTests {
    private static func animation(_ size: PixelSize, _ columns: [Int], as format: OutputFormat = .gif) throws -> [UInt8]
    {
        let writer = try AnimationEncoder.begin(format, size: size, plays: 0, quality: 90)
        for (index, column) in columns.enumerated() {
            let image = try TestImage.rgb(size) { x, y in
                (column..<column + 24).contains(x) && (80..<104).contains(y) ? (255, 255, 255) : (20, 30, 60)
            }
            try writer.add(image, milliseconds: 100 + 10 * index)
        }
        return try writer.finish()
    }

    private static let size = PixelSize(width: 401, height: 161)
    private static let source = Result { try animation(size, [20, 60, 100]) }

    private func run(
        _ source: [UInt8],
        limits: PipelineLimits = PipelineLimits(),
        _ change: (inout FrameJob) -> Void = { _ in }
    ) async throws -> FrameResult {
        let service = try WorkerService(
            model: FaceDetectorModel(name: "bright") { BrightDetector() },
            limits: limits,
            pool: .init(workers: 1, queueLimit: 4, maxBytesInFlight: 256 << 20)
        )
        var job = FrameJob(source: source, target: .image(.videoFrames))
        job.options.accuracy = .low
        change(&job)
        return try await service.run(job)
    }

    private static func frames(_ image: EncodedImage?) throws -> [AnimatedFrame] {
        let bytes = try #require(image).bytes
        let stream = try AnimationDecoder.frames(bytes, header: try ImageHeader.read(bytes))
        var frames: [AnimatedFrame] = []
        while let frame = try stream.next() { frames.append(frame) }
        return frames
    }

    @Test(arguments: [OutputFormat.gif, .webp, .png])
    func `every frame of an animation is written with its time, and sides are even`(format: OutputFormat) async throws {
        let result = try await run(try Self.animation(Self.size, [20, 60, 100], as: format))
        let image = try #require(result.image)
        #expect(image.format == .png && image.video == nil && image.size == PixelSize(width: 400, height: 160))
        #expect(try ImageHeader.read(image.bytes).size == image.size)
        let frames = try Self.frames(image)
        // The last frame ends with a repetition of 10 ms, which browsers show for 100 ms.
        #expect(frames.map(\.milliseconds) == [100, 110, 110, 100])
        for (frame, column) in zip(frames, [20, 60, 100, 100]) {
            #expect(frame.image.alpha == nil)
            let luma = try frame.image.luma()
            #expect(luma[x: column + 12, y: 92] > 200 && luma[x: column + 32, y: 92] < 100)
        }
    }

    @Test func `the crop follows people`() async throws {
        let size = PixelSize(width: 400, height: 160)
        let columns = (0..<24).map { 20 + 10 * $0 }
        let result = try await run(try Self.animation(size, columns)) { job in
            job.options.aspects = [AspectRatio(1, 1)]
            job.options.motion = .follow
        }
        let path = try #require(result.plan.crops[0].path)
        let frames = try Self.frames(result.image)
        // Consecutive frames with equal pixels are one frame.
        #expect(path.count == 24 && (2...25).contains(frames.count))
        for (index, frame) in frames.enumerated() {
            let luma = try frame.image.luma()
            #expect((0..<luma.size.width).contains { luma[x: $0, y: 92] > 200 }, "frame \(index)")
        }
    }

    @Test func `a still image and an animation beyond a limit are rejected`() async throws {
        let source = try Self.source.get()
        let still = try ImageEncoder.encode(try TestImage.gradient(Self.size), as: .png)
        var (few, small) = (PipelineLimits(), PipelineLimits())
        few.maxFrames = 2
        small.maxAnimationPixels = 3 * Self.size.area - 1
        let cases: [(source: [UInt8], limits: PipelineLimits, obstacle: VideoObstacle)] = [
            (still, PipelineLimits(), .still(.png)), (source, few, .tooManyFrames(3, limit: 2)),
            (source, small, .tooManyPixels(3 * Self.size.area, limit: small.maxAnimationPixels)),
        ]
        for (source, limits, obstacle) in cases {
            let error = await #expect(throws: PipelineError.self) { _ = try await run(source, limits: limits) }
            guard case .noVideo(obstacle) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }

    @Test func `an output that is too large or too small is rejected`() async throws {
        let source = try Self.source.get()
        var limits = PipelineLimits()
        limits.maxAnimationPixels = 3 * Self.size.area
        let large = await #expect(throws: PipelineError.self) {
            _ = try await run(source, limits: limits) { job in
                job.options.resultSize.width = 802
                job.options.resultSize.allowsEnlargement = true
            }
        }
        guard case .noVideo(.tooManyPixels(let count, let limit)) = large else {
            Issue.record("\(String(describing: large))")
            return
        }
        #expect(count == 3 * 802 * 322 && limit == limits.maxAnimationPixels)
        let small = await #expect(throws: PipelineError.self) {
            _ = try await run(source) { job in
                job.options.resultSize.width = 1
                job.options.resultSize.height = 1
            }
        }
        guard case .noVideo(.tooSmall(PixelSize(width: 1, height: 1))) = small else {
            Issue.record("\(String(describing: small))")
            return
        }
    }

    @Test func `transparent parts have the colour of the background`() async throws {
        let source = try Self.source.get()
        let result = try await run(source) { job in
            job.options.aspects = [AspectRatio(1, 1)]
            job.options.framing.fit = .pad
            job.options.background = .transparent
        }
        let frame = try #require(try Self.frames(result.image).first).image
        #expect(frame.alpha == nil && frame.planes.allSatisfy { $0[x: 0, y: 0] == 255 })
    }
}
