import Framing
import Geometry
import Imaging
import Pipeline
import TestPacing
import TestImages
import Testing
import Workers

/// Outputs without the key colour, over backdrops of every kind.
@Suite(.limitedConcurrency) struct KeyStageTests {
    private static let size = PixelSize(width: 120, height: 80)
    private static let green = KeyColor(red: 0, green: 177, blue: 64)
    private static let subject = PixelRect(x: 40, y: 20, width: 40, height: 60)

    /// A grey rectangle on a green background.
    private func scene() throws -> PlanarImage {
        try TestImage.rgb(Self.size) { x, y in
            Self.subject.contains(PixelRect(x: x, y: y, width: 1, height: 1)) ? (128, 128, 128) : (0, 177, 64)
        }
    }

    private func run(
        _ source: [UInt8],
        output: ImageOutput = ImageOutput(format: .png),
        _ change: (inout FrameJob) -> Void = { _ in }
    ) async throws -> PlanarImage {
        let service = try WorkerService(
            model: BoxDetector([], in: Self.size).model,
            limits: PipelineLimits(),
            pool: .init(workers: 1, queueLimit: 4, maxBytesInFlight: 1 << 30)
        )
        var job = FrameJob(source: source, target: .image(output))
        job.options.framing.gravity = .center
        job.options.key = ChromaKey(color: Self.green)
        change(&job)
        let bytes = try #require(try await service.run(job).image).bytes
        return try ImageDecoder.decode(bytes, header: ImageHeader.read(bytes))
    }

    private func isClose(_ found: [Int], _ wanted: [Int], by levels: Int = 4) -> Bool {
        zip(found, wanted).allSatisfy { abs($0 - $1) <= levels }
    }

    @Test func `a JPEG becomes an image with alpha if the client accepts one`() async throws {
        let source = try ImageEncoder.encode(scene(), as: .jpeg, quality: 95)
        for accepted in [[], [OutputFormat.jpeg, .webp], [.jpeg, .png]] {
            let result = try await run(source, output: ImageOutput(accepted: accepted))
            let alpha = try #require(result.alpha)
            #expect(alpha[x: 5, y: 5] == 0 && alpha[x: 60, y: 50] >= 250)
        }
        let flat = try await run(source, output: ImageOutput(accepted: [.jpeg]))
        #expect(flat.alpha == nil)
        #expect(isClose(try flat.color(5, 5), [255, 255, 255]))
        #expect(isClose(try flat.color(60, 50), [128, 128, 128], by: 8))
    }

    @Test func `chromaKey=auto uses the colour of the borders`() async throws {
        let source = try ImageEncoder.encode(scene(), as: .png)
        let result = try await run(source) { $0.options.key = ChromaKey(color: nil) }
        #expect(result.alpha?[x: 5, y: 5] == 0 && result.alpha?[x: 60, y: 50] == 255)
        let gray = try ImageEncoder.encode(TestImage.rgb(Self.size) { _, _ in (90, 90, 90) }, as: .png)
        let same = try await run(gray) { $0.options.key = ChromaKey(color: nil) }
        #expect(same.alpha == nil)
        #expect(try same.color(5, 5) == [90, 90, 90])
    }

    @Test func `the plan contains the colour that chromaKey=auto has found`() async throws {
        let service = try WorkerService(
            model: BoxDetector([], in: Self.size).model,
            limits: PipelineLimits(),
            pool: .init(workers: 1, queueLimit: 4, maxBytesInFlight: 1 << 30)
        )
        let screen = try ImageEncoder.encode(scene(), as: .png)
        let gray = try ImageEncoder.encode(TestImage.rgb(Self.size) { _, _ in (90, 90, 90) }, as: .png)
        let cases: [(source: [UInt8], color: KeyColor?, response: FrameJob.Target, word: String?)] = [
            (screen, nil, .image(ImageOutput()), "00b13f"), (gray, nil, .image(ImageOutput()), "none"),
            (screen, Self.green, .image(ImageOutput()), nil), (screen, nil, .plan, nil), (gray, nil, .plan, nil),
        ]
        for (source, color, response, word) in cases {
            var job = FrameJob(source: source, target: response)
            job.options.framing.gravity = .center
            job.options.key = ChromaKey(color: color)
            let found = try await service.run(job).plan.borderKey?.word
            #expect(found == word)
        }
    }

    @Test func `a backdrop replaces the key colour`() async throws {
        let source = try ImageEncoder.encode(scene(), as: .png)
        let blue = try await run(source) { job in
            job.options.backdrop = .color(.init(red: 10, green: 20, blue: 200))
        }
        #expect(blue.alpha == nil)
        #expect(try blue.color(5, 5) == [10, 20, 200] && blue.color(60, 50) == [128, 128, 128])
        let blurred = try await run(source) { $0.options.backdrop = .blur }
        let corner = try blurred.color(5, 5)
        #expect(corner.allSatisfy { (90...200).contains($0) } && abs(corner[1] - corner[0]) < 20, "\(corner)")
    }

    @Test func `a backdrop image covers the crop`() async throws {
        let source = try ImageEncoder.encode(scene(), as: .png)
        // The backdrop is twice as high as the crop's aspect ratio requires, so its upper and lower quarters are cut
        // off.
        let behind = try TestImage.rgb(PixelSize(width: 60, height: 80)) { _, y in
            y < 20 || y >= 60 ? (255, 0, 0) : (0, 0, 255)
        }
        for format in [OutputFormat.png, .jpeg] {
            let bytes = try ImageEncoder.encode(behind, as: format, quality: 95)
            let result = try await run(source) { job in
                job.options.backdrop = .image
                job.backdrop = SourceBytes(bytes)
            }
            #expect(result.alpha == nil)
            for (x, y) in [(5, 5), (115, 5), (5, 75), (115, 75)] {
                #expect(isClose(try result.color(x, y), [0, 0, 255], by: 12))
            }
            #expect(try result.color(60, 50) == [128, 128, 128])
        }
    }

    @Test func `a backdrop that is not an image has a separate error`() async throws {
        let source = try ImageEncoder.encode(scene(), as: .png)
        let error = await #expect(throws: PipelineError.self) {
            _ = try await run(source) { job in
                job.options.backdrop = .image
                job.backdrop = SourceBytes(Array("no image".utf8))
            }
        }
        guard case .backdrop = error else {
            Issue.record("unexpected error: \(String(describing: error))")
            return
        }
    }

    @Test func `bars and a background colour are visible through the transparent area`() async throws {
        let source = try ImageEncoder.encode(scene(), as: .jpeg, quality: 95)
        let background = Background.color(red: 200, green: 30, blue: 90)
        for format in [OutputFormat.png, .jpeg] {
            let padded = try await run(source, output: ImageOutput(format: format, quality: 95)) { job in
                job.options.framing.fit = .pad
                job.options.aspects = [AspectRatio(1, 1)]
                job.options.background = background
            }
            #expect(padded.alpha == nil)
            for (x, y) in [(60, 5), (5, 60)] { #expect(isClose(try padded.color(x, y), [200, 30, 90], by: 6)) }
            let flat = try await run(source, output: ImageOutput(format: format, quality: 95)) { job in
                job.options.background = background
                job.options.flattensAlpha = true
            }
            #expect(isClose(try flat.color(5, 5), [200, 30, 90], by: 6))
        }
    }

    @Test(arguments: [OutputFormat.gif, .webp, .png])
    func `the key colour is removed from every frame of an animation`(format: OutputFormat) async throws {
        let writer = try AnimationEncoder.begin(format, size: Self.size, plays: 0, quality: 95)
        for _ in 0..<2 { try writer.add(scene(), milliseconds: 100) }
        let other = try TestImage.rgb(Self.size) { x, _ in x < 60 ? (0, 177, 64) : (128, 128, 128) }
        try writer.add(other, milliseconds: 100)
        let source = try writer.finish()
        let service = try WorkerService(
            model: BoxDetector([], in: Self.size).model,
            limits: PipelineLimits(),
            pool: .init(workers: 1, queueLimit: 4, maxBytesInFlight: 1 << 30)
        )
        var job = FrameJob(source: source, target: .image(ImageOutput(format: format)))
        job.options.framing.gravity = .center
        job.options.key = ChromaKey(color: nil)
        let bytes = try #require(try await service.run(job).image).bytes
        let frames = try AnimationDecoder.frames(bytes, header: ImageHeader.read(bytes))
        var seen = 0
        while let frame = try frames.next() {
            seen += 1
            let alpha = try #require(frame.image.alpha)
            #expect(alpha[x: 5, y: 5] == 0 && alpha[x: 70, y: 50] == 255)
        }
        #expect(seen >= 2)
    }

    @Test func `the memory of a backdrop image is reserved`() throws {
        let header = try ImageHeader.read(ImageEncoder.encode(scene(), as: .png))
        let behind = try ImageHeader.read(
            ImageEncoder.encode(TestImage.gradient(PixelSize(width: 900, height: 700)), as: .png)
        )
        var job = FrameJob(source: [], target: .image(ImageOutput()))
        job.options.key = ChromaKey(color: Self.green)
        job.options.backdrop = .image
        let alone = DecodePlan(job: job, header: header, needs: PyramidNeeds(smallestDetectableSide: 40)).bytesNeeded
        let both = DecodePlan(
            job: job,
            header: header,
            needs: PyramidNeeds(smallestDetectableSide: 40),
            backdrop: behind
        ).bytesNeeded
        #expect(both >= alone + 3 * 900 * 700)
    }
}
