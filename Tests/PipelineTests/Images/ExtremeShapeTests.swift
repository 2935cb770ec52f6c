import FaceDetection
import Framing
import Geometry
import Imaging
import Pipeline
import TestPacing
import TestImages
import Testing
import Workers

/// Images of one row, one column and similar sizes, through the whole pipeline.
@Suite(.limitedConcurrency) struct ExtremeShapeTests {
    static let sizes = [
        PixelSize(width: 1, height: 1), PixelSize(width: 2, height: 1), PixelSize(width: 1, height: 3),
        PixelSize(width: 3, height: 2), PixelSize(width: 7, height: 7), PixelSize(width: 1, height: 300),
        PixelSize(width: 300, height: 1), PixelSize(width: 17, height: 4000), PixelSize(width: 4000, height: 15),
        PixelSize(width: 60, height: 9000), PixelSize(width: 9000, height: 60), PixelSize(width: 2, height: 30000),
        PixelSize(width: 30000, height: 2), PixelSize(width: 1, height: 60000), PixelSize(width: 60000, height: 1),
        PixelSize(width: 1, height: 65535), PixelSize(width: 65535, height: 1), PixelSize(width: 300, height: 40000),
        PixelSize(width: 40000, height: 300),
    ]
    private static let aspects = [
        nil, AspectRatio(1, 1), AspectRatio(16, 9), AspectRatio(9, 16), AspectRatio(100, 1), AspectRatio(1, 100),
    ]

    private static let services = Result {
        try [FaceDetectorModel.hog, .dlib].map { model in
            try WorkerService(
                model: model,
                limits: PipelineLimits(),
                pool: PoolConfiguration(workers: 2, queueLimit: 64, maxBytesInFlight: 1 << 30)
            )
        }
    }

    /// A JPEG, or a PNG for `other` and for sizes above the limits of JPEG.
    private static func source(_ size: PixelSize, other: Bool = false) throws -> [UInt8] {
        let format: OutputFormat = other || size.longSide > 65_500 ? .png : .jpeg
        let image = try TestImage.gray(size) { x, y in UInt8(truncatingIfNeeded: (x ^ y) * 5) }
        return try ImageEncoder.encode(image, as: format)
    }

    /// The detections, computed once for all aspect ratios.
    private static func findings(_ job: FrameJob, _ service: WorkerService) async throws -> DetectionResult? {
        let outcome = await service.outcome(of: job)
        _ = try outcome.result.get()
        return outcome.findings
    }

    @Test(arguments: sizes)
    func `an image of any size can be cropped to any aspect ratio`(size: PixelSize) async throws {
        for (service, isOther) in zip(try Self.services.get(), [false, true]) {
            var job = FrameJob(source: try Self.source(size, other: isOther), target: .image(ImageOutput()))
            job.findings = try await Self.findings(job, service)
            for aspect in Self.aspects {
                job.options.aspects = [aspect]
                let result = try await service.run(job)
                let crop = result.plan.crops[0].rect
                #expect(PixelRect(size).contains(crop) && crop.area > 0, "\(aspect?.text ?? "own")")
                let image = try #require(result.image)
                #expect(try ImageHeader.read(image.bytes).size == image.size)
            }
        }
    }

    @Test(arguments: sizes)
    func `an image of any size can be padded, scaled down, cropped without faces and annotated`(
        size: PixelSize
    ) async throws {
        let service = try Self.services.get()[0]
        let source = try Self.source(size)
        let findings = try await Self.findings(FrameJob(source: source, target: .plan), service)
        // WebP is limited to 16,383 pixels per side.
        let small = ImageOutput(format: size.longSide > 16_383 ? .png : .webp)
        for aspect in Self.aspects {
            var padded = FrameJob(source: source, target: .image(ImageOutput(format: .png)))
            padded.options.aspects = [aspect]
            padded.options.framing.fit = .pad
            padded.options.background = .blur
            padded.options.resultSize.width = 40
            var low = FrameJob(source: source, target: .image(small))
            low.options.aspects = [aspect]
            low.options.accuracy = .low
            low.options.framing.gravity = .attention
            low.options.resultSize.height = 30
            var tight = FrameJob(source: source, target: .image(ImageOutput()))
            tight.options.aspects = [aspect]
            tight.options.framing.fit = .auto
            tight.options.framing.zoom = 1
            tight.options.resultSize.width = 33
            // An enlarged output with an extreme aspect ratio would exceed the limits of every format.
            tight.options.resultSize.allowsEnlargement = size.longSide <= 1000
            var debug = FrameJob(source: source, target: .debug(ImageOutput(), showsCrop: true))
            debug.options.aspects = [aspect]
            for var job in [padded, low, tight, debug] {
                if job.options.accuracy == .high { job.findings = findings }
                let image = try #require(try await service.run(job).image)
                #expect(try ImageHeader.read(image.bytes).size == image.size)
            }
        }
    }
}
