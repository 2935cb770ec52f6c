import FaceDetection
import Framing
import Geometry
import Imaging
import Pipeline
import TestImages
import TestPacing
import Testing
import Workers

/// The format of outputs that are too large for some formats.
@Suite(.limitedConcurrency) struct LargeSideTests {
    private static let browser: [OutputFormat] = [.avif, .webp, .jpeg, .png, .gif]

    private func run(
        _ source: [UInt8],
        _ output: ImageOutput,
        limits: PipelineLimits = PipelineLimits(maxExpensivePixels: 2_000_000),
        _ change: (inout FrameJob) -> Void = { _ in }
    ) async throws -> EncodedImage {
        let service = try WorkerService(
            model: FaceDetectorModel(name: "bright") { BrightDetector() },
            limits: limits,
            pool: .init(workers: 1, queueLimit: 4, maxBytesInFlight: 512 << 20)
        )
        var job = FrameJob(source: source, target: .image(output))
        job.options.accuracy = .low
        job.options.framing.gravity = .center
        change(&job)
        return try #require(try await service.run(job).image)
    }

    private static func source(_ size: PixelSize, as format: OutputFormat, alpha: Bool = false) throws -> [UInt8] {
        let image = try TestImage.rgb(size) { x, y in
            (UInt8(truncatingIfNeeded: x ^ y), UInt8(truncatingIfNeeded: y), 90)
        }
        guard alpha else { return try ImageEncoder.encode(image, as: format, quality: 60) }
        let plane = try Plane(size) { x, _ in x % 2 == 0 ? 255 : 40 }
        return try ImageEncoder.encode(
            PlanarImage(size: size, colorModel: .rgb, planes: image.planes, alpha: plane),
            as: format
        )
    }

    /// Sizes of sources, accepted formats, and the possible formats of the result.
    private static let stills: [(PixelSize, OutputFormat, alpha: Bool, [OutputFormat], expected: [OutputFormat])] = [
        (PixelSize(width: 130, height: 17_000), .jpeg, false, browser, [.jpeg]),
        (PixelSize(width: 130, height: 17_000), .jpeg, false, [.webp, .jpeg, .png, .gif], [.jpeg]),
        (PixelSize(width: 17_000, height: 130), .png, false, browser, [.jpeg, .png]),
        (PixelSize(width: 17_000, height: 60), .png, true, [.webp, .jpeg, .png, .gif], [.png, .gif]),
        (PixelSize(width: 40, height: 40_000), .jpeg, false, [.avif, .jpeg, .png], [.jpeg]),
        (PixelSize(width: 8, height: 65_520), .png, false, [.jpeg, .png, .gif], [.png, .gif]),
        (PixelSize(width: 8, height: 65_520), .png, false, [], [.png]),
        (PixelSize(width: 60, height: 16_383), .jpeg, false, [.webp], [.webp]),
    ]

    @Test func `the service chooses a format that can contain the image`() async throws {
        for (size, format, alpha, accepted, expected) in Self.stills {
            let image = try await run(Self.source(size, as: format, alpha: alpha), ImageOutput(accepted: accepted))
            #expect(expected.contains(image.format), "\(size) \(accepted) \(image.format)")
            #expect(try ImageHeader.read(image.bytes).size == size)
        }
    }

    @Test func `another format is selected if an enlarged output exceeds the source's format`() async throws {
        let source = try Self.source(PixelSize(width: 16, height: 2000), as: .webp)
        let image = try await run(source, ImageOutput()) { job in
            job.options.resultSize.height = 16_384
            job.options.resultSize.allowsEnlargement = true
        }
        #expect(image.format != .webp && image.size.height == 16_384)
    }

    @Test(arguments: [[OutputFormat.webp], [.webp, .avif]])
    func `without a possible format the error names the limits`(accepted: [OutputFormat]) async throws {
        let source = try Self.source(PixelSize(width: 130, height: 33_000), as: .jpeg)
        let error = await #expect(throws: PipelineError.self) {
            _ = try await run(source, ImageOutput(accepted: accepted))
        }
        guard case .codec(let cause)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause == .tooLarge(PixelSize(width: 130, height: 33_000), limit: .formats(accepted)))
    }

    @Test(arguments: [OutputFormat.webp, .jpeg, .gif])
    func `a requested format is rejected before pixels are decoded`(format: OutputFormat) async throws {
        let source = try Self.source(PixelSize(width: 2, height: 65_536 - 1), as: .png)
        guard !format.holds(PixelSize(width: 2, height: 65_535)) else { return }
        let error = await #expect(throws: PipelineError.self) { _ = try await run(source, ImageOutput(format: format)) }
        guard case .codec(.tooLarge(_, .format(let refused)))? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(refused == InputFormat(format))
    }

    @Test func `an animation gets a format that can contain its frames`() async throws {
        let size = PixelSize(width: 20, height: 17_000)
        let writer = try AnimationEncoder.begin(.gif, size: size, plays: 0)
        for shade in [UInt8(40), 200] {
            try writer.add(
                try TestImage.rgb(size) { _, y in (shade, UInt8(truncatingIfNeeded: y), 0) },
                milliseconds: 100
            )
        }
        let source = try writer.finish()
        for accepted in [Self.browser, [.webp, .jpeg, .png, .gif]] {
            let image = try await run(source, ImageOutput(accepted: accepted)) { $0.options.animation = .auto }
            #expect(image.format != .webp, "\(accepted)")
            #expect(try ImageHeader.read(image.bytes).animation?.frames == 2)
        }
    }

    @Test func `a format whose encoder needs too much memory is not chosen`() async throws {
        let source = try Self.source(PixelSize(width: 1200, height: 900), as: .jpeg)
        var limits = PipelineLimits(maxExpensivePixels: 2_000_000)
        let usual = try await run(source, ImageOutput(accepted: [.avif, .jpeg]), limits: limits)
        #expect(usual.format == .avif || usual.format == .jpeg)
        limits.maxBytes = 24 << 20
        #expect(try await run(source, ImageOutput(accepted: [.avif, .jpeg]), limits: limits).format == .jpeg)
    }
}
