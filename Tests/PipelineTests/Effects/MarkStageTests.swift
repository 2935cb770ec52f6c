import FaceDetection
import Framing
import Geometry
import Imaging
import Pipeline
import TestPacing
import TestImages
import Testing
import Workers

/// Watermarks: their position and size, the heads that they avoid, and their pixels.
@Suite(.limitedConcurrency) struct MarkStageTests {
    private static let result = PixelSize(width: 400, height: 300)
    private static let image = PixelSize(width: 100, height: 50)

    private static func green(alpha: UInt8? = nil) throws -> [UInt8] {
        let image = try TestImage.rgb(Self.image) { _, _ in (0, 255, 0) }
        guard let alpha else { return try ImageEncoder.encode(image, as: .png) }
        let translucent = PlanarImage(
            size: Self.image,
            colorModel: .rgb,
            planes: image.planes,
            alpha: try Plane(Self.image) { _, _ in alpha }
        )
        return try ImageEncoder.encode(translucent, as: .png)
    }

    private static func mark(_ change: (inout Watermark) -> Void = { _ in }) throws -> Watermark {
        var mark = Watermark(name: "logo")
        mark.content = .files([try green()])
        change(&mark)
        return mark
    }

    // MARK: Position

    static let places: [(place: Watermark.Place, x: Int, y: Int)] = [
        (.topLeft, 9, 9), (.top, 160, 9), (.topRight, 311, 9), (.left, 9, 130), (.center, 160, 130), (.right, 311, 130),
        (.bottomLeft, 9, 251), (.bottom, 160, 251), (.bottomRight, 311, 251),
    ]

    @Test(arguments: places)
    func `the watermark is at its position and a fifth as wide as the output`(
        place: Watermark.Place,
        x: Int,
        y: Int
    ) throws {
        let placement = MarkPlacement(try Self.mark(), image: Self.image, in: Self.result)
        let placed = placement.placed(at: place, off: [])
        let rect = PixelRect(x: x, y: y, width: 80, height: 40)
        #expect(placed == PlacedWatermark(place: place, rect: rect, coversHead: false))
    }

    private static let lower = PixelRect(x: 0, y: 200, width: 400, height: 100)

    static let heads: [(heads: [PixelRect], place: Watermark.Place, covers: Bool)] = [
        ([PixelRect(x: 0, y: 0, width: 300, height: 300)], .bottomRight, false),
        // The other corners are 242 pixels higher and 302 pixels further left.
        ([PixelRect(x: 380, y: 280, width: 10, height: 10)], .topRight, false),
        ([PixelRect(x: 320, y: 0, width: 80, height: 300)], .bottomLeft, false),
        ([lower, PixelRect(x: 392, y: 0, width: 8, height: 20)], .topRight, false),
        ([lower, PixelRect(x: 380, y: 0, width: 10, height: 20)], .topLeft, false),
        // If every corner is occupied, the watermark uses the corner where it covers the smallest part of a head.
        ([PixelRect(x: 0, y: 0, width: 400, height: 300)], .bottomRight, true),
        (
            [PixelRect(x: 10, y: 0, width: 390, height: 255), PixelRect(x: 0, y: 252, width: 400, height: 48)],
            .topLeft, true
        ),
    ]

    @Test(arguments: heads)
    func `the watermark moves to the nearest corner without a head`(
        heads: [PixelRect],
        place: Watermark.Place,
        covers: Bool
    ) throws {
        let placed = MarkPlacement(try Self.mark(), image: Self.image, in: Self.result)
            .placed(at: .bottomRight, off: heads)
        #expect(placed.place == place && placed.coversHead == covers)
    }

    @Test func `watermarks of any size and margin are inside outputs of any size`() throws {
        let sides = [1, 2, 3, 10, 400, 16_384]
        for width in sides {
            for height in sides {
                for image in [PixelSize(width: 1, height: 5000), PixelSize(width: 5000, height: 1), Self.image] {
                    for (share, margin) in [(0.01, Length.share(0)), (1, .share(0.45)), (0.2, .pixels(100_000))] {
                        let mark = try Self.mark { ($0.width, $0.margin) = (share, margin) }
                        let result = PixelSize(width: width, height: height)
                        let placement = MarkPlacement(mark, image: image, in: result, ratio: 5)
                        for place in Watermark.Place.allCases {
                            let rect = placement.rect(at: place)
                            #expect(rect.area > 0 && PixelRect(result).contains(rect))
                        }
                    }
                }
            }
        }
    }

    @Test func `the watermark does not extend into rounded corners`() throws {
        let placement = MarkPlacement(
            try Self.mark { $0.margin = .share(0) },
            image: Self.image,
            in: Self.result,
            corners: (200, 150)
        )
        let rect = placement.rect(at: .topLeft)
        let (x, y) = (Double(rect.x - 200) / 200, Double(rect.y - 150) / 150)
        #expect(x * x + y * y <= 1 && rect.x < 60 && rect.y < 46)
    }

    // MARK: Images

    private func run(
        _ source: [UInt8],
        _ mark: Watermark,
        _ format: OutputFormat = .png,
        _ change: (inout FrameJob) -> Void = { _ in }
    ) async throws -> FrameResult {
        let service = try WorkerService(
            model: .hog,
            limits: PipelineLimits(),
            pool: .init(workers: 1, queueLimit: 4, maxBytesInFlight: 512 << 20)
        )
        var job = FrameJob(source: source, target: .image(ImageOutput(format: format)))
        job.options.mark = mark
        change(&job)
        return try await service.run(job)
    }

    private static func decoded(_ image: EncodedImage?) throws -> PlanarImage {
        let bytes = try #require(image).bytes
        let source = try ImageDecoder.decode(bytes, header: try ImageHeader.read(bytes))
        let whole = FractionalRect(PixelRect(source.size))
        return try source.rendered(whole, to: source.size, model: .rgb, profile: .srgb)
    }

    /// The smallest rectangle around the green pixels.
    private static func green(in image: PlanarImage) -> PixelRect? {
        var box: PixelRect?
        for y in 0..<image.size.height {
            for x in 0..<image.size.width
            where image.planes[1][x: x, y: y] > 200 && image.planes[0][x: x, y: y] < 60 {
                let pixel = PixelRect(x: x, y: y, width: 1, height: 1)
                box = box.map { $0.union(pixel) } ?? pixel
            }
        }
        return box
    }

    private static let plain = Result { try DrawnImage(width: 640, height: 480).png() }

    @Test(arguments: [Orientation.up, .right, .down, .upMirrored, .leftMirrored])
    func `the watermark is upright in a rotated output`(turn: Orientation) async throws {
        let result = try await run(try Self.plain.get(), try Self.mark()) { job in
            job.options.turn = turn
            job.options.resultSize.width = 400
        }
        let image = try #require(result.image)
        let placed = try #require(result.plan.crops[0].mark)
        #expect(placed.place == .bottomRight && placed.rect.maxX > image.size.width * 9 / 10)
        #expect(Self.green(in: try Self.decoded(image)) == placed.rect)
    }

    @Test func `a watermark that would cover a head moves, and the plan reports it`() async throws {
        let face = DrawnFace(x: 440, y: 280, side: 120)
        let source = try DrawnImage(width: 640, height: 480, faces: [face]).png()
        let result = try await run(source, try Self.mark { $0.width = 0.3 })
        let placed = try #require(result.plan.crops[0].mark)
        let head = try #require(result.plan.faces.first).head
        #expect(placed.place != .bottomRight && !placed.coversHead && placed.rect.intersection(head).area == 0)
        #expect(Self.green(in: try Self.decoded(result.image)) == placed.rect)
        let plan = try await run(source, try Self.mark { $0.width = 0.3 }) { $0.target = .plan }
        #expect(plan.plan.crops[0].mark == placed && plan.image == nil)
        // A crop of another part of the image has a different free corner.
        let left = try await run(source, try Self.mark { $0.width = 0.3 }) { job in
            job.options.framing.gravity = .left
            job.options.aspects = [.square]
            job.options.region = nil
        }
        #expect(left.plan.crops[0].mark?.place != nil)
    }

    @Test func `the watermark's opacity is multiplied by the alpha of its image`() async throws {
        let rows: [(alpha: UInt8, opacity: Double, value: Int)] = [
            (255, 0.5, 192), (128, 1, 192), (128, 0.5, 160), (255, 0, 128),
        ]
        for (alpha, opacity, expected) in rows {
            var mark = try Self.mark { $0.opacity = opacity }
            mark.content = .files([try Self.green(alpha: alpha)])
            let result = try await run(try Self.plain.get(), mark)
            let rect = try #require(result.plan.crops[0].mark).rect
            let image = try Self.decoded(result.image)
            let value = Int(image.planes[1][x: rect.x + rect.width / 2, y: rect.y + rect.height / 2])
            #expect(abs(value - expected) <= 2, "\(alpha) \(opacity): \(value)")
        }
    }

    @Test func `over transparent pixels the watermark keeps its colour`() async throws {
        let size = PixelSize(width: 320, height: 240)
        let image = PlanarImage(
            size: size,
            colorModel: .rgb,
            planes: try TestImage.rgb(size) { _, _ in (255, 0, 0) }.planes,
            alpha: try Plane(size) { _, _ in 0 }
        )
        let result = try await run(try ImageEncoder.encode(image, as: .png), try Self.mark { $0.opacity = 0.5 })
        let bytes = try #require(result.image).bytes
        let decoded = try ImageDecoder.decode(bytes, header: try ImageHeader.read(bytes))
        let rect = try #require(result.plan.crops[0].mark).rect
        let (x, y) = (rect.x + rect.width / 2, rect.y + rect.height / 2)
        let alpha = try #require(decoded.alpha)
        #expect(abs(Int(alpha[x: x, y: y]) - 128) <= 1)
        #expect(decoded.planes[1][x: x, y: y] >= 254 && decoded.planes[0][x: x, y: y] <= 1)
    }

    @Test func `every frame of an animation has the watermark`() async throws {
        let size = PixelSize(width: 320, height: 240)
        let writer = try AnimationEncoder.begin(.webp, size: size, plays: 0, quality: 90)
        for value in [60, 120, 180] {
            let grey = UInt8(value)
            try writer.add(try TestImage.rgb(size) { _, _ in (grey, grey, grey) }, milliseconds: 100)
        }
        for format in [OutputFormat.webp, .gif] {
            let result = try await run(try writer.finish(), try Self.mark(), format)
            let bytes = try #require(result.image).bytes
            let stream = try AnimationDecoder.frames(bytes, header: try ImageHeader.read(bytes))
            let rect = try #require(result.plan.crops[0].mark).rect
            var count = 0
            while let frame = try stream.next() {
                #expect(frame.image.planes[1][x: rect.x + 5, y: rect.y + 5] > 200)
                #expect(frame.image.planes[1][x: 5, y: 5] < 200)
                count += 1
            }
            #expect(count == 3)
        }
    }

    @Test func `memory for the watermark is reserved`() throws {
        func bytes(_ mark: Watermark?) throws -> Int {
            var job = FrameJob(source: try Self.plain.get(), target: .image(ImageOutput(format: .png)))
            job.options.mark = mark
            return try MeasuredJob(job, limits: PipelineLimits(), needs: PyramidNeeds(smallestDetectableSide: 80))
                .bytesNeeded
        }
        #expect(try bytes(try Self.mark()) - bytes(nil) >= 640 * 480 * 20)
    }
}
