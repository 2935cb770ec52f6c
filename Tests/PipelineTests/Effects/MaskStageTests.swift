import Framing
import Geometry
import Imaging
import Pipeline
import TestPacing
import TestImages
import Testing
import Workers

/// Masks in all kinds of outputs, and placeholders of masked crops.
@Suite(.limitedConcurrency) struct MaskStageTests {
    private static let size = PixelSize(width: 120, height: 80)

    private func service() throws -> WorkerService {
        try WorkerService(
            model: BoxDetector([], in: Self.size).model,
            limits: PipelineLimits(),
            pool: .init(workers: 1, queueLimit: 4, maxBytesInFlight: 1 << 30)
        )
    }

    private func job(
        _ response: FrameJob.Target,
        _ source: [UInt8]? = nil,
        _ change: (inout FrameOptions) -> Void
    ) throws -> FrameJob {
        let image = try TestImage.rgb(Self.size) { x, _ in x < 60 ? (200, 100, 50) : (40, 90, 160) }
        let bytes = try source ?? ImageEncoder.encode(image, as: .jpeg, quality: 95)
        var job = FrameJob(source: bytes, target: response)
        job.options.framing.gravity = .center
        change(&job.options)
        return job
    }

    private func decoded(_ image: EncodedImage?) throws -> PlanarImage {
        let bytes = try #require(image).bytes
        return try ImageDecoder.decode(bytes, header: try ImageHeader.read(bytes))
    }

    static let cases: [(mask: ResultMask, size: (Int, Int), inside: [(Int, Int)], outside: [(Int, Int)])] = [
        (.circle, (80, 80), [(40, 1), (1, 40), (12, 12), (67, 67)], [(0, 0), (79, 0), (10, 10), (79, 79), (11, 68)]),
        (.circle, (120, 80), [(60, 1), (1, 40), (18, 12)], [(0, 0), (119, 79), (16, 10)]),
        (.rounded(.share(0.25)), (120, 80), [(20, 0), (0, 20), (6, 6)], [(0, 0), (4, 4), (119, 79)]),
        (.rounded(.pixels(10)), (120, 80), [(10, 0), (3, 3)], [(0, 0), (1, 1), (118, 1)]),
        (.rounded(.pixels(4000)), (120, 80), [(40, 0), (12, 12)], [(0, 0), (10, 10)]),
    ]

    @Test(arguments: cases)
    func `the area outside the outline is transparent in a format with alpha`(
        mask: ResultMask,
        size: (Int, Int),
        inside: [(Int, Int)],
        outside: [(Int, Int)]
    ) async throws {
        for accepted in [[], [OutputFormat.jpeg, .webp], [.png]] {
            let result = try await service().run(
                job(.image(ImageOutput(accepted: accepted))) {
                    $0.mask = mask
                    $0.aspects = [AspectRatio(Double(size.0), Double(size.1))]
                }
            )
            let image = try decoded(result.image)
            #expect(image.size == PixelSize(width: size.0, height: size.1))
            let alpha = try #require(image.alpha, "\(accepted)")
            for (x, y) in inside { #expect(alpha[x: x, y: y] > 200, "\(x),\(y)") }
            for (x, y) in outside { #expect(alpha[x: x, y: y] < 60, "\(x),\(y)") }
        }
    }

    @Test func `corners have the background colour, or white in a format without alpha`() async throws {
        func corner(_ output: ImageOutput, _ background: Background?) async throws -> (color: [Int], alpha: Bool) {
            let result = try await service().run(
                job(.image(output)) {
                    $0.mask = .circle
                    if let background { ($0.background, $0.flattensAlpha) = (background, true) }
                }
            )
            let image = try decoded(result.image)
            return (try image.color(1, 1), image.alpha != nil)
        }
        let blue = Background.color(red: 10, green: 20, blue: 200)
        func isClose(_ one: [Int], _ other: [Int]) -> Bool { zip(one, other).allSatisfy { abs($0 - $1) <= 12 } }
        let jpeg = try await corner(ImageOutput(format: .jpeg), nil)
        #expect(isClose(jpeg.color, [255, 255, 255]) && !jpeg.alpha)
        let fill = try await corner(ImageOutput(format: .jpeg), blue)
        #expect(isClose(fill.color, [10, 20, 200]))
        let png = try await corner(ImageOutput(format: .png), blue)
        #expect(png.color == [10, 20, 200] && !png.alpha)
    }

    @Test func `masks can be combined with bars, rotation, the pixel ratio, grey images and effects`() async throws {
        let gray = try ImageEncoder.encode(
            PlanarImage(size: Self.size, colorModel: .gray, planes: [try Plane(Self.size) { x, _ in UInt8(x) }]),
            as: .png
        )
        let changes: [(inout FrameOptions) -> Void] = [
            {
                $0.framing.fit = .pad; $0.aspects = [AspectRatio(1, 1)];
                $0.background = .color(red: 9, green: 9, blue: 9)
            },
            { $0.turn = Orientation(quarters: 1, mirrorsColumns: false, mirrorsRows: false) },
            { $0.filters = [.sepia] }, { $0.aspects = [AspectRatio(1, 1)] },
        ]
        for (index, change) in changes.enumerated() {
            for source in [nil, gray] {
                let result = try await service().run(
                    job(.image(ImageOutput(format: .png)), source) {
                        $0.mask = .rounded(.share(0.5))
                        change(&$0)
                    }
                )
                let image = try decoded(result.image)
                let alpha = try #require(image.alpha, "\(index)")
                let (right, bottom) = (image.size.width - 1, image.size.height - 1)
                for (x, y) in [(0, 0), (right, 0), (0, bottom), (right, bottom)] { #expect(alpha[x: x, y: y] == 0) }
                #expect(alpha[x: right / 2, y: bottom / 2] == 255)
            }
        }
        // Twelve CSS pixels are twenty-four output pixels.
        let dense = try await service().run(
            job(.image(ImageOutput(format: .png))) {
                $0.mask = .rounded(.pixels(12))
                $0.resultSize.width = 60
                $0.resultSize.devicePixelRatio = 2
            }
        )
        let alpha = try #require(try decoded(dense.image).alpha)
        #expect(alpha[x: 5, y: 5] == 0 && alpha[x: 9, y: 9] == 255)
    }

    @Test func `every frame of an animation is masked`() async throws {
        let writer = try AnimationEncoder.begin(.webp, size: Self.size, plays: 0, quality: 90)
        for shade in [UInt8(30), 120, 220] {
            try writer.add(try TestImage.rgb(Self.size) { _, _ in (shade, 50, 50) }, milliseconds: 100)
        }
        let source = try writer.finish()
        let result = try await service().run(job(.image(ImageOutput(format: .webp)), source) { $0.mask = .circle })
        let bytes = try #require(result.image).bytes
        let stream = try AnimationDecoder.frames(bytes, header: try ImageHeader.read(bytes))
        var frames = 0
        while let frame = try stream.next() {
            frames += 1
            #expect(frame.image.alpha?[x: 1, y: 1] == 0 && frame.image.alpha?[x: 60, y: 40] == 255)
        }
        #expect(frames == 3)
    }

    @Test func `a plan contains a placeholder of each crop's output`() async throws {
        for kind in PlaceholderKind.allCases {
            let result = try await service().run(
                job(.plan) {
                    $0.aspects = [AspectRatio(1, 2), nil]
                    $0.framing.gravity = .left
                    $0.placeholder = kind
                }
            )
            let found = try result.plan.crops.map { try #require($0.placeholder) }
            #expect(found.allSatisfy { $0.kind == kind && $0.isPossible })
            let color = try #require(found[0].color)
            #expect(abs(Int(color.red) - 200) < 8 && abs(Int(color.blue) - 50) < 8)
            #expect(found[0].hash != found[1].hash)
        }
        let mono = try await service().run(
            job(.plan) { ($0.placeholder, $0.filters) = (.thumbhash, [.mono]) }
        )
        let color = try #require(mono.plan.crops[0].placeholder?.color)
        #expect(color.red == color.green && color.green == color.blue)
        let none = try await service().run(job(.plan) { _ in })
        #expect(none.plan.crops[0].placeholder == nil)
        let beside = try await service().run(job(.image(ImageOutput())) { $0.placeholder = .blurhash })
        #expect(beside.plan.crops[0].placeholder != nil && beside.image != nil)
    }
}
