import Framing
import Geometry
import Imaging
import Pipeline
import TestPacing
import TestImages
import Testing
import Workers

/// Outputs with bars next to the crop.
@Suite(.limitedConcurrency) struct PadStageTests {
    private static let color = Background.color(red: 30, green: 120, blue: 220)
    private static let samples = [30, 120, 220]

    private func run(
        _ source: [UInt8],
        faces: [PixelRect] = [],
        in size: PixelSize = PixelSize(width: 1, height: 1),
        format: OutputFormat? = .png,
        accepted: [OutputFormat] = [],
        quality: ImageQuality? = nil,
        _ change: (inout FrameJob) -> Void = { _ in }
    ) async throws -> (result: FrameResult, looks: Int) {
        let detector = BoxDetector(faces, in: size)
        let service = try WorkerService(
            model: detector.model,
            limits: PipelineLimits(),
            pool: .init(workers: 1, queueLimit: 4, maxBytesInFlight: 1 << 30)
        )
        let output = ImageOutput(format: format, accepted: accepted, quality: quality)
        var job = FrameJob(source: source, target: .image(output))
        job.options.aspects = [AspectRatio(1, 1)]
        job.options.framing.fit = .pad
        job.options.background = Self.color
        job.options.accuracy = .low
        change(&job)
        return (try await service.run(job), detector.shown.count)
    }

    private func pixels(_ image: EncodedImage?, as model: ColorModel = .rgb) throws -> PlanarImage {
        let bytes = try #require(image).bytes
        let decoded = try ImageDecoder.decode(bytes, header: ImageHeader.read(bytes))
        return try Resampler.resample(
            decoded,
            region: FractionalRect(PixelRect(decoded.size)),
            to: decoded.size,
            model: model
        )
    }

    /// The maximum difference between a bar's pixels and the colour, outside a margin around the image.
    private func difference(_ image: PlanarImage, besides source: PixelRect, margin: Int) -> Int {
        let near = PixelRect(
            x: source.x - margin,
            y: source.y - margin,
            width: source.width + 2 * margin,
            height: source.height + 2 * margin
        )
        var largest = 0
        for y in 0..<image.size.height {
            for x in 0..<image.size.width where !near.contains(PixelRect(x: x, y: y, width: 1, height: 1)) {
                for (plane, sample) in zip(image.planes, Self.samples) {
                    largest = max(largest, abs(Int(plane[x: x, y: y]) - sample))
                }
            }
        }
        return largest
    }

    @Test(arguments: [(320, 200), (201, 333), (1, 90), (90, 1), (1, 1), (57, 52), (31, 255)], [nil, 64, 101])
    func `a PNG has exact bars around the same pixels as without bars`(
        source: (Int, Int),
        width: Int?
    ) async throws {
        let size = PixelSize(width: source.0, height: source.1)
        let file = try ImageEncoder.encode(try TestImage.gradient(size), as: .png)
        let (result, looks) = try await run(file) { $0.options.resultSize.width = width }
        #expect(looks == 0)
        let crop = result.plan.crops[0]
        #expect(crop.decision == .pad && crop.rect == PixelRect(size))
        if let width { #expect(crop.output == PixelSize(width: width, height: width)) }
        #expect(crop.output.width == crop.output.height)
        let image = try pixels(result.image)
        #expect(image.size == crop.output)
        #expect(difference(image, besides: crop.image, margin: 0) == 0)
        let plain = try Resampler.resample(
            try TestImage.gradient(size),
            region: FractionalRect(PixelRect(size)),
            to: crop.image.size,
            model: .rgb
        )
        let inside = FractionalRect(crop.image)
        let shown = try Resampler.resample(image, region: inside, to: crop.image.size, model: .rgb)
        #expect(ImageDifference(shown, plain).maximum == 0)
    }

    @Test(arguments: [OutputFormat.jpeg, .webp], [40, 85, 95])
    func `in a lossy file bars have the colour as exactly as its quality allows, at any size`(
        format: OutputFormat,
        quality: Int
    ) async throws {
        for (width, height) in [(320, 201), (201, 320), (33, 77)] {
            let size = PixelSize(width: width, height: height)
            let file = try ImageEncoder.encode(try TestImage.gradient(size), as: .jpeg, quality: 95)
            for side in [nil, 151, 200] {
                let (result, _) = try await run(file, format: format, quality: .level(quality)) {
                    $0.options.resultSize.width = side
                }
                let crop = result.plan.crops[0]
                let image = try pixels(result.image)
                #expect(image.size == crop.output)
                // The block of 16 pixels at the image's edge has ringing.
                let far = difference(image, besides: crop.image, margin: 16)
                #expect(far <= (quality == 40 ? 8 : 4), "\(width)x\(height) \(side ?? 0): \(far)")
                let plain = try Resampler.resample(
                    try TestImage.gradient(size),
                    region: FractionalRect(PixelRect(size)),
                    to: crop.image.size,
                    model: .rgb
                )
                // Chroma bleeds two pixels over the edge.
                let inner = PixelRect(crop.image.size).inset(by: 2)
                let shown = try Resampler.resample(
                    image,
                    region: FractionalRect(crop.image.inset(by: 2)),
                    to: inner.size,
                    model: .rgb
                )
                let expected = try Resampler.resample(
                    plain,
                    region: FractionalRect(inner),
                    to: inner.size,
                    model: .rgb
                )
                let psnr = ImageDifference(shown, expected).psnr
                #expect(psnr > (quality == 40 ? 30 : 37), "\(width)x\(height) \(side ?? 0): \(psnr)")
            }
        }
    }

    @Test func `a grey image stays grey with grey bars and becomes coloured with coloured bars`() async throws {
        let size = PixelSize(width: 40, height: 20)
        let file = try ImageEncoder.encode(try TestImage.waves(size), as: .png)
        for format in OutputFormat.allCases {
            let (white, _) = try await run(file, format: format) { $0.options.background = .white }
            let (colored, _) = try await run(file, format: format)
            let header = try ImageHeader.read(try #require(white.image).bytes)
            if ![.webp, .gif].contains(format) { #expect(header.colorModel == .gray, "\(format)") }
            let image = try pixels(colored.image)
            #expect(difference(image, besides: colored.plan.crops[0].image, margin: 9) <= 4, "\(format)")
        }
    }

    @Test func `transparent bars are transparent if the format supports it, and otherwise white`() async throws {
        let size = PixelSize(width: 40, height: 20)
        let file = try ImageEncoder.encode(try TestImage.gradient(size), as: .jpeg)
        for (format, accepted, expected) in [
            (.png, [], .png), (.webp, [], .webp), (.jpeg, [], .jpeg), (nil, [], .png), (nil, [.jpeg], .jpeg),
            (nil, [.jpeg, .webp], .webp), (nil, [.webp, .png, .jpeg], .webp),
        ] as [(OutputFormat?, [OutputFormat], OutputFormat)] {
            let (result, _) = try await run(file, format: format, accepted: accepted) {
                $0.options.background = .transparent
            }
            let image = try #require(result.image)
            #expect(image.format == expected)
            let decoded = try ImageDecoder.decode(image.bytes, header: ImageHeader.read(image.bytes))
            #expect(decoded.size == PixelSize(width: 40, height: 40))
            if expected.keepsAlpha {
                let alpha = try #require(decoded.alpha)
                #expect(alpha[x: 5, y: 2] == 0 && alpha[x: 5, y: 20] == 255)
            } else {
                #expect(try pixels(image).planes.allSatisfy { $0[x: 5, y: 1] >= 252 })
            }
        }
    }

    @Test func `a background colour shows through transparent pixels, and a transparent background does not`()
        async throws
    {
        let size = PixelSize(width: 40, height: 20)
        let planes = try TestImage.gradient(size).planes
        let alpha = try Plane(size) { x, _ in x < 20 ? 0 : 255 }
        let source = PlanarImage(size: size, colorModel: .rgb, planes: planes, alpha: alpha)
        let file = try ImageEncoder.encode(source, as: .png)
        for format in OutputFormat.allCases {
            let (result, _) = try await run(file, format: format, quality: 90)
            let image = try pixels(result.image)
            #expect(image.alpha == nil)
            for (plane, sample) in zip(image.planes, Self.samples) {
                #expect(abs(Int(plane[x: 4, y: 20]) - sample) <= 4, "\(format)")
            }
        }
        let (result, _) = try await run(file) { $0.options.background = .transparent }
        let shown = try #require(try pixels(result.image).alpha)
        #expect([(4, 4), (4, 20), (30, 4)].allSatisfy { shown[x: $0.0, y: $0.1] == 0 })
        #expect(shown[x: 30, y: 20] == 255)
        let (blurred, _) = try await run(file) { $0.options.background = .blur }
        #expect(try pixels(blurred.image).alpha == nil)
    }

    @Test(arguments: OutputFormat.allCases)
    func `a blur is smooth, darker than the image, and has the requested size`(format: OutputFormat) async throws {
        let size = PixelSize(width: 300, height: 201)
        let file = try ImageEncoder.encode(try TestImage.quadrants(size), as: .jpeg, quality: 90)
        let (result, _) = try await run(file, format: format) { job in
            job.options.background = .blur
            job.options.aspects = [AspectRatio(1, 3)]
            job.options.resultSize.width = 151
        }
        let crop = result.plan.crops[0]
        #expect(crop.output == PixelSize(width: 151, height: 453))
        let image = try pixels(result.image)
        #expect(image.size == crop.output)
        let (bar, own) = (image.planes.map { Int($0[x: 0, y: 0]) }, TestImage.quadrantColors[0])
        let expected = [own.red, own.green, own.blue].map { Int($0) * 3 / 4 }
        #expect(zip(bar, expected).allSatisfy { abs($0 - $1) < 40 }, "\(bar)")
    }

    @Test func `fit=auto pads if no crop can contain the heads, and crops otherwise`() async throws {
        let size = PixelSize(width: 1000, height: 400)
        let file = try DrawnImage(width: size.width, height: size.height).png()
        let far = [
            PixelRect(x: 100, y: 150, width: 90, height: 90), PixelRect(x: 800, y: 150, width: 100, height: 100),
        ]
        let (padded, _) = try await run(file, faces: far, in: size) { $0.options.framing.fit = .auto }
        let crop = padded.plan.crops[0]
        #expect(crop.decision == .pad && crop.hasBars)
        #expect(padded.plan.faces.map(padded.plan.keeps) == [true, true])
        #expect(crop.output.width == crop.output.height && crop.output.width == crop.rect.width)
        #expect(difference(try pixels(padded.image), besides: crop.image, margin: 0) == 0)
        let near = [far[1]]
        let (cut, _) = try await run(file, faces: near, in: size) { $0.options.framing.fit = .auto }
        let (cover, _) = try await run(file, faces: near, in: size) { $0.options.framing.fit = .cover }
        #expect(cut.plan.crops[0].decision == .faces && !cut.plan.crops[0].hasBars)
        #expect(cut.image?.bytes == cover.image?.bytes)
    }

    @Test func `every aspect ratio of a plan has its bars`() async throws {
        let file = try DrawnImage(width: 400, height: 200).jpeg()
        let (result, looks) = try await run(file) { job in
            job.target = .plan
            job.options.aspects = [AspectRatio(1, 1), AspectRatio(2, 1), AspectRatio(4, 1), nil]
            job.options.resultSize.height = 100
        }
        #expect(looks > 0)
        #expect(result.plan.crops.map(\.hasBars) == [true, false, true, false])
        #expect(result.plan.crops.map(\.output.width) == [100, 200, 400, 200])
        #expect(result.plan.crops[2].image == PixelRect(x: 100, y: 0, width: 200, height: 100))
    }

    @Test func `a rotated image is made upright before it is padded`() async throws {
        let file = try DrawnImage(width: 300, height: 200).sidewaysJPEG()
        let (result, _) = try await run(file)
        #expect(result.plan.crops[0].image == PixelRect(x: 0, y: 50, width: 300, height: 200))
    }

    @Test func `no more than the output is decoded, and the memory includes the bars`() throws {
        let header = try ImageHeader.read(try DrawnImage(width: 1600, height: 800).jpeg(quality: 50))
        func plan(_ fit: Fit, maxResultPixels: Int = .max, _ change: (inout FrameJob) -> Void = { _ in }) -> DecodePlan
        {
            var job = FrameJob(source: [], target: .image(ImageOutput()))
            job.options.aspects = [AspectRatio(1, 1)]
            job.options.framing.fit = fit
            change(&job)
            return DecodePlan(
                job: job,
                header: header,
                needs: PyramidNeeds(smallestDetectableSide: 80),
                limits: PipelineLimits(maxResultPixels: maxResultPixels)
            )
        }
        #expect(plan(.pad).firstScale == .full)
        #expect(plan(.pad) { $0.options.resultSize.width = 400 }.firstScale == DecodeScale(eighths: 4))
        #expect(plan(.pad) { $0.options.resultSize.width = 200 }.firstScale == DecodeScale(eighths: 2))
        let result = 1600 * 1600
        #expect(plan(.pad).bytesNeeded == header.decodedBytes(atScale: .full) + 16 * result)
        let transparent = plan(.pad) { $0.options.background = .transparent }
        #expect(transparent.bytesNeeded == header.decodedBytes(atScale: .full) + 23 * result)
        let center: (inout FrameJob) -> Void = { $0.options.framing.gravity = .center }
        #expect(plan(.cover, center).bytesNeeded == header.decodedBytes(atScale: .full) + 12 * 800 * 800)
        let kept: (inout FrameJob) -> Void = {
            $0.options.framing.gravity = .center
            $0.options.profile = .keep
        }
        #expect(plan(.cover, kept).bytesNeeded == header.decodedBytes(atScale: .full) + 8 * 800 * 800)
        #expect(plan(.auto, center).bytesNeeded == header.decodedBytes(atScale: .full) + 16 * 800 * 800)
        #expect(plan(.auto).bytesNeeded >= header.decodedBytes(atScale: .full) + 16 * result)
        // A request that will be rejected needs no memory estimate.
        let bounded = plan(.pad, maxResultPixels: 100_000).bytesNeeded
        #expect(bounded == header.decodedBytes(atScale: .full) + 1_600_000)
    }

    @Test func `an output that is too large is rejected`() async throws {
        let file = try DrawnImage(width: 4000, height: 60).png()
        let error = await #expect(throws: PipelineError.self) {
            _ = try await run(file) { $0.options.aspects = [AspectRatio(1, 100)] }
        }
        guard case .resultTooLarge(let size, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(size == PixelSize(width: 4000, height: 400_000))
    }
}

extension PixelRect {
    fileprivate func inset(by amount: Int) -> PixelRect {
        PixelRect(x: x + amount, y: y + amount, width: width - 2 * amount, height: height - 2 * amount)
    }
}
