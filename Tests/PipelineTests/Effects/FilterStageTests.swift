import Framing
import Geometry
import Imaging
import Pipeline
import TestPacing
import TestImages
import Testing
import Workers

/// Filters in all kinds of outputs.
@Suite(.limitedConcurrency) struct FilterStageTests {
    private static let size = PixelSize(width: 60, height: 40)

    private func run(
        _ source: [UInt8],
        _ filters: [ImageFilter],
        output: ImageOutput = ImageOutput(format: .png),
        _ change: (inout FrameJob) -> Void = { _ in }
    ) async throws -> FrameResult {
        let service = try WorkerService(
            model: BoxDetector([], in: Self.size).model,
            limits: PipelineLimits(),
            pool: .init(workers: 1, queueLimit: 4, maxBytesInFlight: 1 << 30)
        )
        var job = FrameJob(source: source, target: .image(output))
        job.options.framing.gravity = .center
        job.options.filters = filters
        change(&job)
        return try await service.run(job)
    }

    private func pixels(_ image: EncodedImage?) throws -> PlanarImage {
        let bytes = try #require(image).bytes
        return try ImageDecoder.decode(bytes, header: ImageHeader.read(bytes))
    }

    private func flat(_ red: UInt8, _ green: UInt8, _ blue: UInt8) throws -> [UInt8] {
        try ImageEncoder.encode(TestImage.rgb(Self.size) { _, _ in (red, green, blue) }, as: .png)
    }

    @Test(arguments: OutputFormat.allCases)
    func `outputs in every format have the filtered colours`(format: OutputFormat) async throws {
        let image = try await run(flat(200, 100, 50), [.invert], output: ImageOutput(format: format, quality: 95)).image
        for (found, wanted) in zip(try pixels(image).color(30, 20), [55, 155, 205]) {
            #expect(abs(found - wanted) <= 4)
        }
    }

    @Test func `sepia adds colours to a grey image, and other filters keep it grey`() async throws {
        let source = try ImageEncoder.encode(TestImage.gray(Self.size) { _, _ in 100 }, as: .jpeg)
        let output = ImageOutput(format: .jpeg, quality: 95)
        let brown = try pixels(try await run(source, [.sepia], output: output).image)
        let found = try brown.color(30, 20)
        #expect(abs(found[0] - 135) <= 3 && abs(found[2] - 94) <= 3)
        let negative = try pixels(try await run(source, [.invert], output: output).image)
        #expect(negative.colorModel == .gray)
        #expect(abs(try negative.color(30, 20)[0] - 155) <= 2)
    }

    @Test func `bars keep their colour`() async throws {
        let image = try await run(flat(200, 100, 50), [.invert]) { job in
            job.options.framing.fit = .pad
            job.options.aspects = [AspectRatio(1, 1)]
            job.options.background = .color(red: 10, green: 20, blue: 30)
        }.image
        let result = try pixels(image)
        #expect(result.size == PixelSize(width: 60, height: 60))
        #expect(try result.color(30, 2) == [10, 20, 30])
        #expect(try result.color(30, 30) == [55, 155, 205])
    }

    @Test func `alpha is kept`() async throws {
        let visible = try TestImage.rgb(Self.size) { _, _ in (200, 100, 50) }
        let alpha = try Plane(Self.size) { x, _ in x < 30 ? 255 : 0 }
        let image = PlanarImage(size: Self.size, colorModel: .rgb, planes: visible.planes, alpha: alpha)
        let result = try pixels(try await run(ImageEncoder.encode(image, as: .png), [.mono]).image)
        #expect(result.alpha?[x: 10, y: 10] == 255 && result.alpha?[x: 40, y: 10] == 0)
    }

    @Test func `filters apply to every frame of an animation, and to a cropped GIF`() async throws {
        for format in [OutputFormat.gif, .webp] {
            let writer = try AnimationEncoder.begin(format, size: Self.size, plays: 0, quality: 95)
            for level in [UInt8(40), 200] {
                try writer.add(TestImage.rgb(Self.size) { _, _ in (level, 0, 0) }, milliseconds: 100)
            }
            let output = ImageOutput(format: format, quality: 95)
            let bytes = try #require(try await run(writer.finish(), [.invert], output: output).image).bytes
            let frames = try AnimationDecoder.frames(bytes, header: ImageHeader.read(bytes))
            for level in [215, 55] {
                let frame = try #require(try frames.next())
                for (found, wanted) in zip(try frame.image.color(30, 20), [level, 255, 255]) {
                    #expect(abs(found - wanted) <= 5)
                }
            }
        }
    }

    @Test func `the memory of a blur is reserved before the blur runs`() throws {
        let header = try ImageHeader.read(flat(1, 2, 3))
        var job = FrameJob(source: [], target: .image(ImageOutput()))
        func bytes() -> Int {
            DecodePlan(job: job, header: header, needs: PyramidNeeds(smallestDetectableSide: 40)).bytesNeeded
        }
        let plain = bytes()
        job.options.filters = [.mono]
        let mono = bytes()
        job.options.filters = [.blur(100)]
        let area = Self.size.area
        #expect(mono >= plain + 12 * area)
        // Two arrays with two bytes per element, with a margin of 350 pixels.
        #expect(bytes() >= mono + 4 * (Self.size.width + 350) * (Self.size.height + 350))
    }
}
