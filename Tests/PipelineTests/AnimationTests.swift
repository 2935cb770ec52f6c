import FaceDetection
import Framing
import Geometry
import Imaging
import Pipeline
import TestPacing
import TestPictures
import Testing
import Workers

/// Jobs for animations, with a detector that finds bright squares.
@Suite(.limitedConcurrency) struct AnimationTests {
    private static let size = PixelSize(width: 400, height: 160)

    /// A detector that finds the bounding box of pixels that are nearly white.
    private struct Bright: FaceDetector {
        let name = "bright"
        let smallestDetectableSide = 20

        mutating func detect(in image: LumaImage, threshold: Double) throws -> [Detection] {
            var (left, top, right, bottom) = (Int.max, Int.max, 0, 0)
            for y in 0..<image.size.height {
                for x in 0..<image.size.width where image.pixels[y * image.bytesPerRow + x] > 200 {
                    (left, top) = (min(left, x), min(top, y))
                    (right, bottom) = (max(right, x + 1), max(bottom, y + 1))
                }
            }
            guard right > left else { return [] }
            let box = PixelRect(x: left, y: top, width: right - left, height: bottom - top)
            return [Detection(box: box, confidence: 2)]
        }
    }

    /// A dark picture with a white square in column `x`; without one if `x` is nil.
    private static func picture(_ x: Int?) throws -> PlanarImage {
        try TestImage.rgb(size) { column, row in
            guard let x, (x..<x + 24).contains(column), (80..<104).contains(row) else { return (20, 30, 60) }
            return (255, 255, 255)
        }
    }

    private static func animation(_ columns: [Int?], as format: ImageFormat = .webp) throws -> [UInt8] {
        let writer = try AnimationEncoder.begin(format, size: size, plays: 3, quality: 90)
        for (index, column) in columns.enumerated() {
            try writer.add(try picture(column), milliseconds: 100 + 10 * index)
        }
        return try writer.finish()
    }

    private func run(
        _ source: [UInt8],
        _ answer: FrameJob.Answer = .image(ImageOutput()),
        limits: PipelineLimits = PipelineLimits(),
        _ change: (inout FrameJob) -> Void = { _ in }
    ) async throws -> FrameResult {
        let service = try FrameService(
            model: FaceDetectorModel(name: "bright") { Bright() },
            limits: limits,
            pool: .init(workers: 1, queueLimit: 4, maxBytesInFlight: 256 << 20)
        )
        var job = FrameJob(source: source, answer: answer)
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
        // Three of four frames have the face on the right.
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
        // The first frame alone has another crop.
        let still = try await run(source, .image(ImageOutput())) {
            Self.square(&$0)
            $0.options.animation = .still
        }
        #expect(still.plan.source.animation == nil && still.plan.faces.map(\.frame) == [nil])
        #expect(still.plan.crops[0].rect.x < 100 && plan.crops[0].rect.x > 200)
        #expect(try Self.frames(still.image).isEmpty)
    }

    @Test func `the crop is the same for every form of the result`() async throws {
        let source = try Self.animation([20, 330, 300, 350], as: .gif)
        let plan = try await run(source, .plan, Self.square).plan
        for format in ImageFormat.allCases {
            let result = try await run(source, .image(ImageOutput(format: format)), Self.square)
            #expect(result.plan.crops[0].rect == plan.crops[0].rect)
            #expect(result.image?.format == format)
            #expect(try Self.frames(result.image).count == (format.keepsAnimation ? 4 : 0))
        }
    }

    @Test func `at most eight frames that differ are searched`() async throws {
        let columns = (0..<40).map { Int?.some($0 < 20 ? 10 : 10 + 9 * $0) }
        let result = try await run(try Self.animation(columns), .plan, Self.square)
        let searched = try #require(result.plan.detector?.frames)
        #expect((2...FaceFindings.mostFrames).contains(searched.count) && searched.first == 0)
        // WebP joins the equal frames.
        #expect(result.plan.source.animation?.frames == 21)
        let quiet = try await run(try Self.animation([nil, 10, nil, 10, nil]), .plan)
        #expect(quiet.plan.detector?.frames == [0, 1])
    }

    @Test func `faces of frames that a job does not need are not reused`() async throws {
        let source = try Self.animation([20, 330])
        let service = try FrameService(
            model: FaceDetectorModel(name: "bright") { Bright() },
            limits: PipelineLimits(),
            pool: .init(workers: 1, queueLimit: 4, maxBytesInFlight: 256 << 20)
        )
        var job = FrameJob(source: source, answer: .plan)
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
    func `beyond the limits the result is the first picture`(limits: PipelineLimits, isAnimated: Bool) async throws {
        let source = try Self.animation([20, 330, 300, 350])
        let result = try await run(source, limits: limits)
        #expect((result.plan.source.animation != nil) == isAnimated)
        #expect(try Self.frames(result.image).isEmpty != isAnimated)
        #expect(result.plan.faces.count == (isAnimated ? 4 : 1))
    }

    @Test func `a result beyond the limit is the first picture`() async throws {
        let source = try Self.animation([20, 330])
        let limits = PipelineLimits(maxAnimationPixels: 2 * 800 * 320 - 1)
        let result = try await run(source, limits: limits) {
            $0.options.resultSize.width = 800
            $0.options.resultSize.allowsEnlargement = true
        }
        #expect(result.image?.size.width == 800)
        #expect(try Self.frames(result.image).isEmpty)
    }

    @Test func `bars are in every frame`() async throws {
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

    @Test func `the format is the source's, or one that holds animations`() async throws {
        let gif = try Self.animation([20, 330], as: .gif)
        let accepted: [([ImageFormat], ImageFormat)] = [
            ([], .gif), ([.jpeg, .webp, .gif], .gif), ([.jpeg, .png, .webp], .webp), ([.png, .jpeg], .png),
            ([.jpeg], .jpeg),
        ]
        for (formats, expected) in accepted {
            let result = try await run(gif, .image(ImageOutput(accepted: formats)))
            #expect(result.image?.format == expected, "\(formats)")
        }
    }

    @Test func `memory for frames and encoder is estimated`() throws {
        let source = try Self.animation([20, 330, 300, 350])
        var job = FrameJob(source: source, answer: .image(ImageOutput()))
        let animated = try MeasuredJob(job, limits: PipelineLimits(), smallestDetectableSide: 80).bytesNeeded
        job.options.animation = .still
        let still = try MeasuredJob(job, limits: PipelineLimits(), smallestDetectableSide: 80).bytesNeeded
        #expect(animated > still + 40 * Self.size.area)
    }
}
