import Framing
import Geometry
import Imaging
import Pipeline
import TestPacing
import TestImages
import Testing
import Workers

/// `region`, `trim`, `focus`, `rotate` and the values of `fit` that show the whole image, in complete jobs.
@Suite(.limitedConcurrency) struct AreaTests {
    private static let size = PixelSize(width: 400, height: 200)
    private static let boxes = [
        PixelRect(x: 40, y: 60, width: 60, height: 60), PixelRect(x: 280, y: 80, width: 50, height: 50),
    ]

    private func run(
        _ source: [UInt8],
        boxes: [PixelRect] = boxes,
        in size: PixelSize = size,
        response: FrameJob.Target = .image(ImageOutput(format: .png)),
        _ change: (inout FrameJob) -> Void = { _ in }
    ) async throws -> FrameResult {
        let service = try WorkerService(
            model: BoxDetector(boxes, in: size).model,
            limits: PipelineLimits(),
            pool: .init(workers: 1, queueLimit: 4, maxBytesInFlight: 1 << 30)
        )
        var job = FrameJob(source: source, target: response)
        job.options.accuracy = .low
        change(&job)
        return try await service.run(job)
    }

    private func pixels(_ image: EncodedImage?) throws -> PlanarImage {
        let bytes = try #require(image).bytes
        let decoded = try ImageDecoder.decode(bytes, header: ImageHeader.read(bytes))
        let whole = FractionalRect(PixelRect(decoded.size))
        return try Resampler.resample(decoded, region: whole, to: decoded.size, model: .rgb)
    }

    private static let right = Region(x: .share(0.5), y: .share(0), width: .share(0.5), height: .share(1))

    // MARK: Region

    @Test func `a region is cropped like an image, with coordinates in the whole image`() async throws {
        let file = try ImageEncoder.encode(try TestImage.gradient(Self.size), as: .png)
        let result = try await run(file) { job in
            job.options.region = Self.right
            job.options.aspects = [AspectRatio(1, 2)]
        }
        let plan = result.plan
        #expect(plan.area == PixelRect(x: 200, y: 0, width: 200, height: 200))
        #expect(plan.faces.map(\.box) == [Self.boxes[1]])
        #expect(plan.ignored.filter { $0.reason == .region }.map(\.box) == [Self.boxes[0]])
        let crop = plan.crops[0]
        #expect(plan.area.contains(crop.rect) && crop.rect.size == PixelSize(width: 100, height: 200))
        #expect(crop.rect.contains(plan.faces[0].head) && crop.outcomes == [.kept])
        #expect(crop.subjectArea == plan.faces[0].head)
        let image = try pixels(result.image)
        let expected = try Resampler.resample(
            try TestImage.gradient(Self.size),
            region: FractionalRect(crop.rect),
            to: crop.rect.size,
            model: .rgb
        )
        #expect(ImageDifference(image, expected).maximum == 0)
    }

    @Test func `the crop of a region equals the crop of an image that was cut to the region`() async throws {
        let area = PixelRect(x: 120, y: 20, width: 240, height: 150)
        let whole = try TestImage.waves(Self.size)
        let part = try Resampler.resample(whole, region: FractionalRect(area), to: area.size, model: .gray)
        let region = Region(x: .pixels(120), y: .pixels(20), width: .pixels(240), height: .pixels(150))
        let changes: [@Sendable (inout FrameJob) -> Void] = [
            { $0.options.framing.gravity = .bottomRight },
            { $0.options.framing.gravity = .point(x: 0.2, y: 0.8) }, { $0.options.framing.fit = .pad },
            { $0.options.framing.fit = .fill }, { $0.options.framing.fallback = .original },
        ]
        for change in changes {
            let inside = try await run(try ImageEncoder.encode(whole, as: .png), boxes: []) { job in
                job.options.region = region
                job.options.aspects = [AspectRatio(1, 1)]
                change(&job)
            }
            let alone = try await run(try ImageEncoder.encode(part, as: .png), boxes: []) { job in
                job.options.aspects = [AspectRatio(1, 1)]
                change(&job)
            }
            let (crop, expected) = (inside.plan.crops[0], alone.plan.crops[0].rect)
            #expect(
                crop.rect
                    == PixelRect(
                        x: expected.x + area.x,
                        y: expected.y + area.y,
                        width: expected.width,
                        height: expected.height
                    )
            )
            #expect(crop.output == alone.plan.crops[0].output)
            #expect(crop.image == alone.plan.crops[0].image)
        }
    }

    @Test func `attention is computed for the region`() async throws {
        // There is detail in the left half, and more detail at the right end of the right half.
        let image = try TestImage.gray(Self.size) { x, y in
            (20..<120).contains(x) || x > 340 ? UInt8((x * 61 + y * 37) % 200) : 128
        }
        let result = try await run(try ImageEncoder.encode(image, as: .png), boxes: []) { job in
            job.options.framing.gravity = .attention
            job.options.region = Region(x: .share(0.4), y: .share(0), width: .share(0.6), height: .share(1))
            job.options.aspects = [AspectRatio(1, 2)]
        }
        let crop = result.plan.crops[0]
        #expect(crop.decision == .attention && crop.rect.x >= 270)
    }

    @Test func `detections belong to one region and are in pixels of the whole image`() async throws {
        let file = try DrawnImage(width: 400, height: 200).png()
        var job = FrameJob(source: file, target: .plan)
        let key = job.searchKey
        job.options.region = Self.right
        #expect(job.searchKey != key)
        let service = try WorkerService(
            model: BoxDetector(Self.boxes, in: Self.size).model,
            limits: PipelineLimits(),
            pool: .init(workers: 1, queueLimit: 4, maxBytesInFlight: 1 << 30)
        )
        let outcome = await service.outcome(of: job)
        var whole = FrameJob(source: file, target: .plan)
        let findings = try #require(outcome.findings)
        whole.findings = findings
        #expect(try await service.run(whole).plan.faces.count == 2)
    }

    @Test(arguments: [FrameJob.Crops.face(1), .everyFace])
    func `face images show only the faces in the region`(crops: FrameJob.Crops) async throws {
        let file = try DrawnImage(width: 400, height: 200).png()
        let response: FrameJob.Target =
            crops == .everyFace ? .portraits(ImageOutput()) : .face(index: 1, ImageOutput())
        let result = try await run(file, response: response) { $0.options.region = Self.right }
        #expect(result.plan.crops.count == 1)
        #expect(result.plan.area.contains(result.plan.crops[0].rect))
        let error = await #expect(throws: PipelineError.self) {
            _ = try await run(file, response: .facePlan(index: 2)) { $0.options.region = Self.right }
        }
        guard case .noSuchFace(index: 2, found: 1) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `a region outside the image is rejected before the image is decoded`() async throws {
        let file = try DrawnImage(width: 400, height: 200).png()
        let error = await #expect(throws: PipelineError.self) {
            _ = try await run(file) {
                $0.options.region = Region(x: .pixels(400), y: .share(0), width: .pixels(9), height: .share(1))
            }
        }
        guard case .regionOutside(Self.size) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `a lossless crop of a region starts at a block boundary`() async throws {
        let file = try DrawnImage(width: 400, height: 200).jpeg()
        let result = try await run(file, response: .image(ImageOutput(format: .jpeg))) { job in
            job.options.isLossless = true
            job.options.region = Region(x: .pixels(210), y: .pixels(9), width: .pixels(150), height: .pixels(150))
        }
        let rect = result.plan.crops[0].rect
        #expect(rect.x % 8 == 0 && rect.y % 8 == 0)
        #expect(abs(rect.x - 210) < 16 && abs(rect.y - 9) < 16)
        #expect(try ImageHeader.read(try #require(result.image).bytes).size == rect.size)
    }

    // MARK: Trim

    private func bordered(_ inner: PixelRect, in size: PixelSize) throws -> PlanarImage {
        let colors = try TestImage.gradient(size)
        return try TestImage.rgb(size) { x, y in
            guard inner.contains(PixelRect(x: x, y: y, width: 1, height: 1)) else { return (250, 250, 250) }
            return (colors.planes[0][x: x, y: y] / 2, colors.planes[1][x: x, y: y] / 2, 90)
        }
    }

    @Test func `a uniform border is cut off before framing`() async throws {
        let inner = PixelRect(x: 31, y: 17, width: 300, height: 150)
        let image = try bordered(inner, in: Self.size)
        let png = try await run(try ImageEncoder.encode(image, as: .png), boxes: []) { $0.options.trim = 0 }
        #expect(png.plan.area == inner && png.plan.crops[0].rect == inner)
        #expect(png.image?.size == inner.size)
        let jpeg = try await run(try ImageEncoder.encode(image, as: .jpeg, quality: 95), boxes: []) {
            $0.options.trim = 40
        }
        let area = jpeg.plan.area
        #expect(abs(area.x - inner.x) <= 2 && abs(area.maxX - inner.maxX) <= 2)
        #expect(abs(area.y - inner.y) <= 2 && abs(area.maxY - inner.maxY) <= 2)
    }

    @Test func `every kind of output is trimmed, and a uniform image is not`() async throws {
        let size = PixelSize(width: 2400, height: 1600)
        let inner = PixelRect(x: 301, y: 203, width: 1704, height: 1001)
        let file = try ImageEncoder.encode(try bordered(inner, in: size), as: .jpeg, quality: 95)
        let responses: [FrameJob.Target] = [
            .plan, .image(ImageOutput()), .debug(ImageOutput(), showsCrop: true),
        ]
        var areas: Set<PixelRect> = []
        for response in responses {
            for width in [nil, 100] {
                let result = try await run(file, boxes: [], in: size, response: response) { job in
                    job.options.trim = 40
                    job.options.resultSize.width = width
                }
                areas.insert(result.plan.area)
            }
        }
        let area = try #require(areas.first)
        #expect(areas.count == 1)
        // No border remains, and at most 1/500 of the content is lost.
        #expect(inner.contains(area))
        #expect(area.width >= inner.width - 2 * 2400 / 500 && area.height >= inner.height - 2 * 2400 / 500)
        let plain = try TestImage.rgb(Self.size) { _, _ in (9, 9, 9) }
        let uncut = try await run(try ImageEncoder.encode(plain, as: .png), boxes: []) { $0.options.trim = 3 }
        #expect(uncut.plan.area == PixelRect(Self.size))
    }

    @Test func `a border inside the region is trimmed`() async throws {
        let inner = PixelRect(x: 150, y: 50, width: 100, height: 100)
        let file = try ImageEncoder.encode(try bordered(inner, in: Self.size), as: .png)
        let result = try await run(file, boxes: []) { job in
            job.options.region = Region(x: .pixels(20), y: .pixels(20), width: .pixels(200), height: .share(1))
            job.options.trim = 0
        }
        #expect(result.plan.area == PixelRect(x: 150, y: 50, width: 70, height: 100))
    }

    // MARK: Rotation

    @Test(arguments: Orientation.allCases, [Fit.cover, .pad])
    func `the output is rotated after cropping, scaling and bars`(turn: Orientation, fit: Fit) async throws {
        let file = try ImageEncoder.encode(try TestImage.gradient(Self.size), as: .png)
        func result(_ turn: Orientation) async throws -> FrameResult {
            try await run(file) { job in
                job.options.aspects = [AspectRatio(3, 2)]
                job.options.resultSize.width = 91
                job.options.framing.fit = fit
                job.options.turn = turn
            }
        }
        let (plain, turned) = (try await result(.up), try await result(turn))
        #expect(turned.plan.crops[0].rect == plain.plan.crops[0].rect)
        let expected = try pixels(plain.image).oriented(turn)
        #expect(try #require(turned.image).size == expected.size)
        #expect(ImageDifference(try pixels(turned.image), expected).maximum == 0)
    }

    @Test(arguments: [ImageQuality.level(90), .source])
    func `a rotated JPEG keeps its quality`(quality: ImageQuality) async throws {
        let image = try TestImage.gradient(Self.size)
        let file = try ImageEncoder.encode(image, as: .jpeg, quality: 75)
        let result = try await run(file, response: .image(ImageOutput(format: .jpeg, quality: quality))) { job in
            job.options.turn = .right
        }
        let bytes = try #require(result.image).bytes
        let header = try ImageHeader.read(bytes)
        #expect(header.size == PixelSize(width: 200, height: 400))
        #expect(ImageDifference(try pixels(result.image), try image.oriented(.right)).psnr > 30)
        if quality == .source {
            let source = try #require(try ImageHeader.read(file).quantization)
            #expect(header.quantization?.tables == source.transposed.tables)
        }
    }

    @Test func `the images of several aspect ratios and faces are all rotated`() async throws {
        let file = try DrawnImage(width: 400, height: 200).png()
        let crops = try await run(file, response: .crops(ImageOutput())) { job in
            job.options.aspects = [AspectRatio(1, 2), AspectRatio(2, 1), nil]
            job.options.turn = .left
        }
        #expect(crops.images.map(\.size) == crops.plan.crops.map { Orientation.left.upright($0.output) })
        #expect(crops.images[1].size.height == 400)
        let faces = try await run(file, response: .portraits(ImageOutput())) { $0.options.turn = .right }
        #expect(faces.images.map(\.size) == faces.plan.crops.map { Orientation.right.upright($0.output) })
    }

    // MARK: Whole images and focal areas

    @Test func `a stretched image shows all of its content`() async throws {
        let file = try ImageEncoder.encode(try TestImage.quadrants(Self.size), as: .png)
        let result = try await run(file) { job in
            job.options.framing.fit = .fill
            job.options.aspects = [AspectRatio(1, 1)]
            job.options.resultSize.width = 100
        }
        #expect(result.plan.crops[0].decision == .fill && result.plan.detector == nil)
        let image = try pixels(result.image)
        #expect(image.size == PixelSize(width: 100, height: 100))
        for (index, color) in TestImage.quadrantColors.enumerated() {
            let (x, y) = (index % 2 * 50 + 25, index / 2 * 50 + 25)
            let found = image.planes.map { $0[x: x, y: y] }
            #expect(found == [color.red, color.green, color.blue])
        }
    }

    @Test func `with fit=inside an image is decoded no larger than needed`() async throws {
        let header = try ImageHeader.read(try DrawnImage(width: 1600, height: 800).jpeg(quality: 50))
        func plan(_ change: (inout FrameJob) -> Void) -> DecodePlan {
            var job = FrameJob(source: [], target: .image(ImageOutput()))
            change(&job)
            return DecodePlan(job: job, header: header, needs: PyramidNeeds(smallestDetectableSide: 80))
        }
        let inside = plan { job in
            job.options.framing.fit = .inside
            job.options.resultSize.width = 200
            job.options.resultSize.height = 200
        }
        #expect(inside.firstScale == DecodeScale(eighths: 2))
        let part = plan { job in
            job.options.framing.fit = .inside
            job.options.resultSize.width = 200
            job.options.region = Self.right
        }
        #expect(part.firstScale == DecodeScale(eighths: 4))
        #expect(part.bytesNeeded == header.decodedBytes(atScale: part.firstScale) + 12 * 200 * 200)
        let turned = plan { job in
            job.options.framing.fit = .inside
            job.options.resultSize.width = 200
            job.options.region = Self.right
            job.options.turn = .right
        }
        #expect(turned.bytesNeeded == part.bytesNeeded + 4 * 200 * 200)
    }

    @Test func `focal areas are kept without face detection, in coordinates of the whole image`() async throws {
        let file = try DrawnImage(width: 400, height: 200).png()
        let area = FocalArea(
            Region(x: .pixels(300), y: .pixels(20), width: .pixels(60), height: .pixels(60)),
            weight: 2
        )
        for region in [nil, Self.right] {
            let result = try await run(file) { job in
                job.options.framing.gravity = .focus
                job.options.framing.focal = [area]
                job.options.region = region
                job.options.aspects = [AspectRatio(1, 2)]
            }
            let crop = result.plan.crops[0]
            let expected = PixelRect(x: 300, y: 20, width: 60, height: 60)
            #expect(result.plan.detector == nil && crop.decision == .focus)
            #expect(crop.rect.contains(expected) && crop.subjectArea == expected)
        }
    }
}
