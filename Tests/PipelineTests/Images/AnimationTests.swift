import FaceDetection
import Framing
import Geometry
import Imaging
import Pipeline
import TestPacing
import TestImages
import Testing
import Workers

/// Jobs for animations, with a detector that finds bright squares.
@Suite(.limitedConcurrency) struct AnimationTests {
    private static let size = PixelSize(width: 400, height: 160)

    /// A dark image with a white square in column `x`; nil for an image without a square.
    private static func image(_ x: Int?) throws -> PlanarImage {
        try TestImage.rgb(size) { column, row in
            guard let x, (x..<x + 24).contains(column), (80..<104).contains(row) else { return (20, 30, 60) }
            return (255, 255, 255)
        }
    }

    private static func animation(_ columns: [Int?], as format: OutputFormat = .webp) throws -> [UInt8] {
        let writer = try AnimationEncoder.begin(format, size: size, plays: 3, quality: 90)
        for (index, column) in columns.enumerated() {
            try writer.add(try image(column), milliseconds: 100 + 10 * index)
        }
        return try writer.finish()
    }

    private func run(
        _ source: [UInt8],
        _ response: FrameJob.Target = .image(ImageOutput()),
        limits: PipelineLimits = PipelineLimits(),
        _ change: (inout FrameJob) -> Void = { _ in }
    ) async throws -> FrameResult {
        let service = try WorkerService(
            model: FaceDetectorModel(name: "bright") { BrightDetector() },
            limits: limits,
            pool: .init(workers: 1, queueLimit: 4, maxBytesInFlight: 256 << 20)
        )
        var job = FrameJob(source: source, target: response)
        job.options.accuracy = .low
        change(&job)
        return try await service.run(job)
    }

    private static func frames(_ image: EncodedImage?) throws -> [AnimatedFrame] {
        let bytes = try #require(image).bytes
        let header = try ImageHeader.read(bytes)
        guard header.animation != nil else { return [] }
        let stream = try AnimationDecoder.frames(bytes, header: header)
        var frames: [AnimatedFrame] = []
        while let frame = try stream.next() { frames.append(frame) }
        return frames
    }

    private static func square(_ job: inout FrameJob) { job.options.aspects = [AspectRatio(1, 1)] }

    @Test func `the crop keeps the heads of as many frames as possible`() async throws {
        // Three of four frames contain the face on the right.
        let source = try Self.animation([20, 330, 300, 350])
        let result = try await run(source, .image(ImageOutput()), Self.square)
        let plan = result.plan
        #expect(plan.source.animation?.frames == 4 && plan.source.animation?.plays == 3)
        #expect(plan.faces.count == 4 && Set(plan.faces.compactMap(\.frame)) == [0, 1, 2, 3])
        #expect(plan.detector?.frames == [0, 1, 2, 3])
        #expect(plan.faces.filter(plan.keeps).compactMap(\.frame).sorted() == [1, 2, 3])
        let frames = try Self.frames(result.image)
        #expect(frames.map(\.milliseconds) == [100, 110, 120, 130])
        #expect(frames.allSatisfy { $0.image.size == plan.crops[0].output })
        // The first frame alone leads to a different crop.
        let still = try await run(source, .image(ImageOutput())) {
            Self.square(&$0)
            $0.options.animation = .still
        }
        #expect(still.plan.source.animation == nil && still.plan.faces.map(\.frame) == [nil])
        #expect(still.plan.crops[0].rect.x < 100 && plan.crops[0].rect.x > 200)
        #expect(try Self.frames(still.image).isEmpty)
    }

    @Test func `the crop is the same for every kind of output`() async throws {
        let source = try Self.animation([20, 330, 300, 350], as: .gif)
        let plan = try await run(source, .plan, Self.square).plan
        for format in OutputFormat.allCases {
            let result = try await run(source, .image(ImageOutput(format: format)), Self.square)
            #expect(result.plan.crops[0].rect == plan.crops[0].rect)
            #expect(result.image?.format == format)
            // A GIF does not become an animated PNG.
            #expect(try Self.frames(result.image).count == (format.keepsAnimation && format != .png ? 4 : 0))
        }
    }

    @Test func `at most eight differing frames are searched`() async throws {
        let columns = (0..<40).map { Int?.some($0 < 20 ? 10 : 10 + 9 * $0) }
        let result = try await run(try Self.animation(columns), .plan, Self.square)
        let searched = try #require(result.plan.detector?.frames)
        #expect((2...DetectionResult.maxFrames).contains(searched.count) && searched.first == 0)
        // WebP merges the equal frames.
        #expect(result.plan.source.animation?.frames == 21)
        let quiet = try await run(try Self.animation([nil, 10, nil, 10, nil]), .plan)
        #expect(quiet.plan.detector?.frames == [0, 1])
    }

    @Test func `detections in frames that a job does not use are not reused`() async throws {
        let source = try Self.animation([20, 330])
        let service = try WorkerService(
            model: FaceDetectorModel(name: "bright") { BrightDetector() },
            limits: PipelineLimits(),
            pool: .init(workers: 1, queueLimit: 4, maxBytesInFlight: 256 << 20)
        )
        var job = FrameJob(source: source, target: .plan)
        job.options.accuracy = .low
        let all = await service.outcome(of: job, by: nil)
        job.options.animation = .still
        job.findings = all.findings
        let first = await service.outcome(of: job, by: nil)
        #expect(try first.result.get().plan.faces.count == 1)
        job.options.animation = .auto
        let again = await service.outcome(of: job, by: nil)
        #expect(again.findings == nil)
        #expect(try again.result.get().plan.detector?.isKnown == true)
    }

    @Test(arguments: [
        (PipelineLimits(maxFrames: 3), false), (PipelineLimits(maxFrames: 4), true),
        (PipelineLimits(maxAnimationPixels: 4 * size.area - 1), false),
        (PipelineLimits(maxAnimationPixels: 4 * size.area), true),
    ])
    func `a source above the limits is cropped as a still image`(limits: PipelineLimits, isAnimated: Bool) async throws
    {
        let source = try Self.animation([20, 330, 300, 350])
        let result = try await run(source, limits: limits)
        #expect((result.plan.source.animation != nil) == isAnimated)
        #expect(try Self.frames(result.image).isEmpty != isAnimated)
        #expect(result.plan.faces.count == (isAnimated ? 4 : 1))
    }

    @Test func `an output above the limit is a still image`() async throws {
        let source = try Self.animation([20, 330])
        let limits = PipelineLimits(maxAnimationPixels: 2 * 800 * 320 - 1)
        let result = try await run(source, limits: limits) {
            $0.options.resultSize.width = 800
            $0.options.resultSize.allowsEnlargement = true
        }
        #expect(result.image?.size.width == 800)
        #expect(try Self.frames(result.image).isEmpty)
    }

    @Test func `every frame has bars`() async throws {
        let source = try Self.animation([20, 330, 300])
        let result = try await run(source) {
            $0.options.aspects = [AspectRatio(1, 1)]
            $0.options.framing.fit = .pad
            $0.options.background = .color(red: 200, green: 0, blue: 0)
            $0.options.resultSize.width = 100
        }
        let frames = try Self.frames(result.image)
        #expect(frames.count == 3)
        for frame in frames {
            #expect(frame.image.planes[0][x: 50, y: 5] > 180 && frame.image.planes[2][x: 50, y: 5] < 30)
            #expect(frame.image.planes[0][x: 50, y: 95] > 180)
        }
    }

    @Test func `a GIF that is only cropped keeps its colours`() async throws {
        let source = try Self.animation([20, 330, 300], as: .gif)
        let result = try await run(source, .image(ImageOutput()), Self.square)
        let rect = result.plan.crops[0].rect
        #expect(result.image?.bytes == (try GIFCropping.crop(source, to: rect, plays: 3)))
        let scaled = try await run(source) { $0.options.resultSize.width = 100 }
        #expect(scaled.image?.format == .gif)
        #expect(try Self.frames(scaled.image).count == 3)
    }

    @Test func `the output has the source's format, or another format that supports animations`() async throws {
        let gif = try Self.animation([20, 330], as: .gif)
        let accepted: [([OutputFormat], OutputFormat)] = [
            ([], .gif), ([.jpeg, .webp, .gif], .gif), ([.jpeg, .png, .webp], .webp), ([.png, .jpeg], .png),
            ([.jpeg], .jpeg),
        ]
        for (formats, expected) in accepted {
            let result = try await run(gif, .image(ImageOutput(accepted: formats)))
            #expect(result.image?.format == expected, "\(formats)")
        }
    }

    /// Each frame equals the output of the same job for that frame alone.
    @Test(arguments: ["turn", "mirror", "trim", "region", "all"], OutputFormat.allCases.filter(\.keepsAnimation))
    func `frames are rotated and trimmed like still images`(change: String, format: OutputFormat) async throws {
        let size = PixelSize(width: 60, height: 40)
        // A border with a moving square inside it.
        let images = try (0..<3).map { step in
            try TestImage.rgb(size) { x, y in
                guard (6..<52).contains(x), (5..<33).contains(y) else { return (90, 90, 90) }
                return (10 + 9 * step..<22 + 9 * step).contains(x) && y < 18 ? (240, 40, 30) : (20, UInt8(4 * y), 180)
            }
        }
        let frames = images.map { image in
            APNGFile.Frame(PixelRect(size)) { x, y in
                let planes = image.planes
                return (planes[0][x: x, y: y], planes[1][x: x, y: y], planes[2][x: x, y: y], 255)
            }
        }
        let source = APNGFile(size, frames: frames).bytes
        func ask(_ job: inout FrameJob) {
            job.options.framing.gravity = .center
            if ["turn", "all"].contains(change) { job.options.turn = .right }
            if change == "mirror" { job.options.turn = .leftMirrored }
            if ["trim", "all"].contains(change) { job.options.trim = 10 }
            if ["region", "all"].contains(change) {
                job.options.region = Region(x: .pixels(3), y: .pixels(2), width: .pixels(50), height: .pixels(36))
            }
            job.options.resultSize.width = 32
        }
        let result = try await run(source, .image(ImageOutput(format: format, quality: .level(95))), ask)
        let shown = try Self.frames(result.image)
        #expect(shown.count == 3)
        for (frame, image) in zip(shown, images) {
            let still = try await run(
                try ImageEncoder.encode(image, as: .png),
                .image(ImageOutput(format: .png)),
                ask
            )
            let bytes = try #require(still.image).bytes
            let wanted = try ImageDecoder.decode(bytes, header: try ImageHeader.read(bytes))
            try #require(frame.image.size == wanted.size && result.image?.size == wanted.size)
            // Chroma subsampling blurs the edges of strong colours.
            #expect(ImageDifference(frame.image, wanted).mean < 12)
        }
    }

    /// The EXIF data of an animated WebP rotate every frame.
    @Test func `the EXIF orientation is applied to every frame`() async throws {
        let size = PixelSize(width: 40, height: 20)
        var chunks: [UInt8] = []
        for step in 0..<3 {
            let file = try WebPFile.lossless(size) { x, _ in
                (10 * step..<10 * step + 10).contains(x) ? (250, 0, 0, 255) : (0, 0, 90, 255)
            }
            chunks += WebPFile.frame(PixelRect(size), WebPFile.image(of: file))
        }
        let animation = WebPFile.chunk("ANIM", [0, 0, 0, 0, 0, 0])
        let source = WebPFile.extended(
            size,
            [.animation, .alpha, .exif],
            animation + chunks + WebPFile.chunk("EXIF", ExifBlock.tiff(orientation: 6))
        )
        for format in OutputFormat.allCases where format.keepsAnimation && format != .png {
            let result = try await run(source, .image(ImageOutput(format: format))) {
                $0.options.framing.gravity = .center
            }
            let frames = try Self.frames(result.image)
            #expect(frames.count == 3)
            for (step, frame) in frames.enumerated() {
                // A clockwise rotation moves the left side to the top.
                let whole = FractionalRect(PixelRect(frame.image.size))
                let rgb = try Resampler.resample(frame.image, region: whole, to: frame.image.size, model: .rgb)
                #expect(frame.image.size == PixelSize(width: 20, height: 40))
                for y in [5, 15, 25, 35] {
                    #expect((rgb.planes[0][x: 10, y: y] > 150) == (y / 10 == step))
                }
            }
        }
    }

    @Test(arguments: [OutputFormat.webp, .gif]) func `a copyright notice is kept`(format: OutputFormat) async throws {
        let notice = CopyrightNotice(artist: "Ana", copyright: "© Ana", credit: "Foto")
        let plain = try Self.animation([20, 330], as: format)
        let source = notice.added(toAnimation: plain, as: format, Self.size)
        for keeps in [false, true] {
            for width in [Int?.none, 100] {
                var output = ImageOutput()
                output.keepsCopyright = keeps
                let result = try await run(source, .image(output)) { $0.options.resultSize.width = width }
                #expect(try Self.frames(result.image).count == 2)
                let bytes = try #require(result.image).bytes
                #expect(CopyrightNotice(of: bytes, format: InputFormat(format)) == (keeps ? notice : nil))
            }
        }
    }

    #if AVIF
    @Test func `the smallest animation is selected, and AVIF only within its limit and for endless loops`()
        async throws
    {
        let accepted = ImageOutput(accepted: [.avif, .webp, .gif, .png])
        func source(_ format: OutputFormat, plays: Int) throws -> [UInt8] {
            let writer = try AnimationEncoder.begin(format, size: Self.size, plays: plays)
            for column in [20, 330] { try writer.add(try Self.image(column), milliseconds: 100) }
            return try writer.finish()
        }
        let area = Self.size.area
        let rows: [(source: OutputFormat, plays: Int, limit: Int, possible: [OutputFormat])] = [
            (.webp, 0, area, [.avif, .webp]), (.webp, 0, area - 1, [.webp]), (.webp, 2, area, [.webp]),
            (.avif, 0, area, [.avif, .webp]), (.gif, 0, area, [.avif, .webp, .gif]),
            (.png, 0, area, [.avif, .webp, .png]),
        ]
        for row in rows {
            let bytes = try source(row.source, plays: row.plays)
            let limits = PipelineLimits(maxExpensivePixels: row.limit)
            let chosen = try #require(try await run(bytes, .image(accepted), limits: limits).image)
            #expect(row.possible.contains(chosen.format), "\(row): \(chosen.format)")
            #expect(try Self.frames(chosen).count == 2)
            for format in row.possible {
                let other = try await run(bytes, .image(ImageOutput(format: format)), limits: limits).image
                #expect(try chosen.bytes.count <= #require(other).bytes.count, "\(row): \(format)")
            }
        }
        // Without Accept, an AVIF is converted to WebP.
        #expect(try await run(try source(.avif, plays: 0)).image?.format == .webp)
    }
    #endif

    @Test func `memory for frames and the encoder is estimated`() throws {
        let source = try Self.animation([20, 330, 300, 350])
        var job = FrameJob(source: source, target: .image(ImageOutput()))
        let animated = try MeasuredJob(job, limits: PipelineLimits(), needs: PyramidNeeds(smallestDetectableSide: 80))
            .bytesNeeded
        job.options.animation = .still
        let still = try MeasuredJob(job, limits: PipelineLimits(), needs: PyramidNeeds(smallestDetectableSide: 80))
            .bytesNeeded
        #expect(animated > still + 40 * Self.size.area)
    }
}
