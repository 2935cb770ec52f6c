import Framing
import Geometry
import Imaging
import Pipeline
import TestPacing
import TestImages
import Testing
import Workers

/// The drawing in ``FrameJob/Answer/debug(_:showsCrop:)``.
@Suite(.limitedConcurrency) struct DebugStageTests {
    private typealias RGB = [UInt8]

    private static let size = PixelSize(width: 640, height: 240)
    /// Two faces that are too far apart for one square crop.
    private static let faces = [
        PixelRect(x: 120, y: 90, width: 70, height: 70), PixelRect(x: 500, y: 90, width: 60, height: 60),
    ]
    private static let kept: RGB = [80, 230, 110]
    private static let cut: RGB = [255, 90, 80]
    private static let found: RGB = [255, 215, 60]
    private static let white: RGB = [255, 255, 255]
    private static let ignored: RGB = [190, 190, 190]
    private static let free: RGB = [110, 190, 255]

    private func run(
        _ source: [UInt8]? = nil,
        faces: [PixelRect] = Self.faces,
        in size: PixelSize = Self.size,
        format: OutputFormat? = .png,
        showsCrop: Bool = true,
        _ change: (inout FrameJob) -> Void = { _ in }
    ) async throws -> (image: EncodedImage, plan: FramePlan, pixel: (_ x: Int, _ y: Int) -> RGB) {
        let service = try WorkerService(
            model: BoxDetector(faces, in: size).model,
            limits: PipelineLimits(),
            pool: .init(workers: 1, queueLimit: 4, maxBytesInFlight: 256 << 20)
        )
        let bytes = try source ?? DrawnImage(width: size.width, height: size.height).png()
        var job = FrameJob(source: bytes, target: .debug(ImageOutput(format: format), showsCrop: showsCrop))
        job.options.aspects = [AspectRatio(1, 1)]
        job.options.accuracy = .low
        change(&job)
        let result = try await service.run(job)
        let image = try #require(result.image)
        let pixels = try ImageDecoder.decode(image.bytes, header: ImageHeader.read(image.bytes))
        return (image, result.plan, { x, y in pixels.planes.map { $0[x: x, y: y] } })
    }

    @Test func `kept heads, cut heads, the crop and the area outside have different colours`() async throws {
        let (image, plan, pixel) = try await run()
        #expect(image.size == Self.size)
        #expect(plan.faces.map(plan.keeps) == [true, false])
        let crop = plan.crops[0].rect
        #expect(crop.size == PixelSize(width: 240, height: 240))
        for (face, color) in zip(plan.faces, [Self.kept, Self.cut]) {
            for rect in [face.box, face.head] {
                let (x, y) = (rect.x + rect.width / 2, rect.y + rect.height / 2)
                #expect(pixel(rect.x, y) == color)
                #expect(pixel(rect.maxX - 1, y) == color)
                #expect(pixel(x, rect.maxY - 1) == color)
                #expect(pixel(rect.x - 1, y) == [0, 0, 0], "a dark line outside")
            }
        }
        #expect(pixel(crop.x, 20) == Self.white)
        #expect(pixel(crop.maxX - 1, 20) == Self.white)
        #expect(pixel(crop.x + 12, 20) == [128, 128, 128], "unchanged inside")
        #expect(pixel(crop.maxX + 3, 20) == [51, 51, 51], "dimmed outside")
    }

    @Test func `lines at the thirds are drawn inside the crop only`() async throws {
        let (_, plan, pixel) = try await run(faces: [])
        let crop = plan.crops[0].rect
        for third in [80, 160] {
            #expect(pixel(crop.x + third, 20) == [191, 191, 191])
            #expect(pixel(crop.x + third + 1, 20) == [64, 64, 64])
            #expect(pixel(crop.x + 20, crop.y + third) == [191, 191, 191])
            #expect(pixel(crop.maxX + 5, crop.y + third) == [51, 51, 51])
        }
    }

    @Test func `the face-free area is drawn inside the crop without touching its outline`() async throws {
        let (_, plan, pixel) = try await run()
        let free = try #require(plan.crops[0].faceFree)
        #expect(plan.faces.allSatisfy { $0.head.intersection(free).area == 0 })
        let y = free.y + free.height / 5
        #expect(pixel(free.x + 4, y) == Self.free)
        #expect(pixel(free.maxX - 5, y) == Self.free)
        #expect(pixel(free.x + 20, free.y + 4) == Self.free)
    }

    @Test func `heads that are not requested and ignored faces are grey`() async throws {
        let small = PixelRect(x: 300, y: 40, width: 40, height: 40)
        let (_, plan, pixel) = try await run(faces: Self.faces + [small]) {
            $0.options.framing.gravity = .largest
            $0.options.smallestFace = 0.2
        }
        #expect(plan.crops[0].outcomes == [.kept, .ignored])
        #expect(plan.ignored.map(\.reason) == [.size])
        let other = plan.faces[1].head
        #expect(pixel(other.x, other.y + other.height / 2) == Self.ignored)
        #expect(pixel(plan.ignored[0].box.x, plan.ignored[0].box.y + 10) == Self.ignored)
    }

    @Test func `with faces only, boxes are drawn without crop or heads`() async throws {
        let (_, plan, pixel) = try await run(showsCrop: false)
        for face in plan.faces {
            #expect(pixel(face.box.x, face.box.y + 40) == Self.found)
            #expect(pixel(face.head.x, face.box.y + 40) == [128, 128, 128])
        }
        #expect(pixel(320, 20) == [128, 128, 128])
    }

    @Test func `the decision is drawn in the lower left corner, and the number above each head`() async throws {
        func whites(_ pixel: (Int, Int) -> RGB, x: Range<Int>, y: Range<Int>, _ color: RGB) -> Int {
            y.reduce(0) { sum, y in sum + x.count { pixel($0, y) == color } }
        }
        let (_, plan, pixel) = try await run()
        #expect(whites(pixel, x: 0..<60, y: 200..<240, Self.white) > 100)
        for (face, color) in zip(plan.faces, [Self.kept, Self.cut]) {
            let above = (face.head.y - 12)..<(face.head.y - 2)
            #expect(whites(pixel, x: face.head.x..<(face.head.x + 60), y: above, color) > 40)
        }
    }

    @Test(arguments: [
        (PixelSize(width: 3200, height: 1000), PixelSize(width: 1600, height: 500)),
        (PixelSize(width: 2, height: 9000), PixelSize(width: 1, height: 1600)),
        (PixelSize(width: 1, height: 1), PixelSize(width: 1, height: 1)),
    ])
    func `long images shrink to 1600 pixels, and small images keep their size`(
        source: PixelSize,
        expected: PixelSize
    ) async throws {
        let everywhere = [PixelRect(source)]
        let (image, _, _) = try await run(faces: everywhere, in: source)
        #expect(image.size == expected)
        #expect(try ImageHeader.read(image.bytes).size == expected)
    }

    @Test func `an image stored sideways is drawn upright, from a reduced decode`() async throws {
        let source = DrawnImage(width: 4000, height: 2400)
        let face = PixelRect(x: 1000, y: 800, width: 800, height: 800)
        let (image, plan, pixel) = try await run(source.sidewaysJPEG(), faces: [face], in: source.size)
        #expect(image.size == PixelSize(width: 1600, height: 960))
        let head = plan.faces[0].head
        #expect(pixel(head.x * 2 / 5, 480) == Self.kept)
        #expect(pixel(head.x * 2 / 5 + 1, 480) == Self.kept)
    }

    @Test(arguments: [OutputFormat.jpeg, .png, .webp]) func `every output format is supported`(
        format: OutputFormat
    ) async throws {
        let (image, _, _) = try await run(format: format)
        #expect(OutputFormat.sniff(image.bytes) == format)
    }

    @Test func `grey and transparent images can be drawn on`() async throws {
        let grey = try ImageEncoder.encode(TestImage.gray(Self.size) { _, _ in 90 }, as: .png)
        let (_, plan, pixel) = try await run(grey)
        #expect(pixel(plan.faces[0].box.x, 120) == Self.kept)
        #expect(pixel(plan.crops[0].rect.x + 10, 20) == [90, 90, 90])
        let clear = PlanarImage(
            size: Self.size,
            colorModel: .rgb,
            planes: try (0..<3).map { _ in try Plane(Self.size) { _, _ in 0 } },
            alpha: try Plane(Self.size) { _, _ in 0 }
        )
        let (_, _, onWhite) = try await run(ImageEncoder.encode(clear, as: .png))
        #expect(onWhite(plan.crops[0].rect.x + 10, 20) == [255, 255, 255])
    }
}
