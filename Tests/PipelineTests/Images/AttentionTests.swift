import Framing
import Geometry
import Imaging
import Pipeline
import TestPacing
import TestImages
import Testing
import Workers

/// Jobs without detected faces, on drawn scenes.
@Suite(.limitedConcurrency) struct AttentionTests {
    private static let size = PixelSize(width: 800, height: 400)

    /// A patch of skin on a grey wall, in the left or the right quarter.
    private static func scene(onTheLeft: Bool, size: PixelSize = size) throws -> PlanarImage {
        try TestImage.rgb(size) { x, y in color(x, y, onTheLeft: onTheLeft, in: size) }
    }

    private static func color(_ x: Int, _ y: Int, onTheLeft: Bool, in size: PixelSize) -> TestImage.RGB {
        let (a, b) = (x - size.width * (onTheLeft ? 1 : 7) / 8, y - size.height / 4)
        return 4 * a * a + 3 * b * b < 3 * size.height * size.height / 64 ? (198, 134, 104) : (120, 122, 125)
    }

    /// The position of a stored pixel in the upright image (Exif 2.32, table 6).
    private static func upright(_ x: Int, _ y: Int, in stored: PixelSize, orientation: Int) -> (x: Int, y: Int) {
        let (right, bottom) = (stored.width - 1 - x, stored.height - 1 - y)
        return switch orientation {
        case 2: (right, y)
        case 3: (right, bottom)
        case 4: (x, bottom)
        case 5: (y, x)
        case 6: (bottom, x)
        case 7: (bottom, right)
        case 8: (y, right)
        default: (x, y)
        }
    }

    private func plan(
        _ source: [UInt8],
        _ response: FrameJob.Target = .plan,
        aspect: AspectRatio? = AspectRatio(1, 1),
        detector: BoxDetector = BoxDetector(),
        _ change: (inout FrameJob) -> Void = { _ in }
    ) async throws -> FrameResult {
        let service = try WorkerService(
            model: detector.model,
            limits: PipelineLimits(),
            pool: .init(workers: 1, queueLimit: 4, maxBytesInFlight: 256 << 20)
        )
        var job = FrameJob(source: source, target: response)
        job.options.aspects = [aspect]
        job.options.accuracy = .low
        change(&job)
        return try await service.run(job)
    }

    @Test(arguments: [true, false], [OutputFormat.jpeg, .png, .webp])
    func `the crop moves to the side where a person could be`(onTheLeft: Bool, format: OutputFormat) async throws {
        let source = try ImageEncoder.encode(try Self.scene(onTheLeft: onTheLeft), as: format)
        let crop = try await plan(source) { $0.options.framing.gravity = .attention }.plan.crops[0]
        #expect(crop.decision == .attention)
        #expect(crop.rect.size == PixelSize(width: 400, height: 400))
        #expect(onTheLeft ? crop.rect.maxX <= 500 : crop.rect.x >= 300)
        #expect(onTheLeft ? crop.rect.x <= 55 : crop.rect.maxX >= 745)
    }

    @Test(arguments: 1...8)
    func `a rotated image is analysed upright`(orientation: Int) async throws {
        let size = orientation > 4 ? PixelSize(width: Self.size.height, height: Self.size.width) : Self.size
        let stored = try TestImage.rgb(size) { x, y in
            let place = Self.upright(x, y, in: size, orientation: orientation)
            return Self.color(place.x, place.y, onTheLeft: false, in: Self.size)
        }
        let source = JPEGSegments.tagged(orientation, try ImageEncoder.encode(stored, as: .jpeg, quality: 92))
        let result = try await plan(source).plan
        #expect(result.source.size == Self.size)
        #expect(result.crops[0].rect.maxX >= 745)
    }

    @Test func `the crop is the same in the plan and for every output size`() async throws {
        let source = try ImageEncoder.encode(
            try Self.scene(onTheLeft: false, size: PixelSize(width: 2400, height: 1000)),
            as: .jpeg
        )
        let planned = try await plan(source) { $0.options.framing.gravity = .attention }.plan.crops[0].rect
        let byFallback = try await plan(source).plan.crops[0].rect
        for width in [50, 400, 1000] {
            let result = try await plan(source, .image(ImageOutput())) { $0.options.resultSize.width = width }
            #expect(result.plan.crops[0].rect == byFallback)
        }
        let asked = try await plan(source, .image(ImageOutput())) { $0.options.framing.gravity = .attention }
        #expect(asked.plan.crops[0].rect == planned)
        #expect(asked.plan.crops[0].decision == .attention)
        #expect(asked.plan.detector == nil)
    }

    @Test(arguments: [(1, 1), (1, 40), (40, 1), (2, 3)])
    func `the smallest images can be cropped`(width: Int, height: Int) async throws {
        let image = try TestImage.gray(PixelSize(width: width, height: height)) { x, y in UInt8((x * 7 + y * 5) % 256) }
        let crop = try await plan(try ImageEncoder.encode(image, as: .png)).plan.crops[0].rect
        #expect(crop.area > 0)
        #expect(PixelRect(PixelSize(width: width, height: height)).contains(crop))
    }

    @Test func `a grey image is cropped around its detail`() async throws {
        let image = try TestImage.gray(Self.size) { x, y in
            x >= 600 && y < 200 && ((x / 20) + (y / 20)).isMultiple(of: 2) ? 220 : 90
        }
        let crop = try await plan(try ImageEncoder.encode(image, as: .jpeg)).plan.crops[0].rect
        // The prior falls to 0 at the right edge, so the last columns have little weight.
        #expect(crop.maxX >= 780)
    }

    @Test func `a blank image is cropped near the middle`() async throws {
        let blank = try DrawnImage(width: 640, height: 480).jpeg()
        #expect(try await plan(blank, aspect: AspectRatio(1, 1)).plan.crops[0].rect.x == 80)
        #expect(try await plan(blank, aspect: AspectRatio(16, 9)).plan.crops[0].rect.y == 51)
    }

    @Test(
        arguments: [
            (Accuracy.high, nil, 51, "a thorough search found nothing: the crop is 2 % of the height above the middle"),
            (.high, -0.1, 0, "there may be a person, whose head is at the top"),
            (.low, nil, 51, "the subject network found no person"),
        ] as [(Accuracy, Double?, Int, Comment)]
    )
    func `a person is expected unless the search finds nothing`(
        accuracy: Accuracy,
        doubtful: Double?,
        y: Int,
        why: Comment
    ) async throws {
        let size = PixelSize(width: 640, height: 480)
        let blank = try DrawnImage(width: size.width, height: size.height).jpeg()
        let boxes = doubtful.map { _ in [PixelRect(x: 400, y: 200, width: 100, height: 100)] } ?? []
        let detector = BoxDetector(boxes, in: size, surest: doubtful)
        let result = try await plan(blank, aspect: AspectRatio(16, 9), detector: detector) {
            $0.options.accuracy = accuracy
        }
        #expect(result.plan.crops[0].decision == .fallback(.attention))
        #expect(result.plan.crops[0].rect.y == y, why)
    }

    @Test(arguments: [(true, 0), (false, 51)])
    func `an uncertain face counts as a person if it has the colour of skin`(isSkin: Bool, y: Int) async throws {
        // Without detail, only the expected subject determines the crop.
        let size = PixelSize(width: 640, height: 480)
        let image = try TestImage.rgb(size) { _, _ in isSkin ? (198, 134, 104) : (104, 134, 198) }
        let detector = BoxDetector([PixelRect(x: 200, y: 200, width: 100, height: 100)], in: size, surest: -0.1)
        let source = try ImageEncoder.encode(image, as: .png)
        let result = try await plan(source, aspect: AspectRatio(16, 9), detector: detector) {
            $0.options.accuracy = .high
        }
        #expect(!result.plan.ignored.isEmpty)
        #expect(result.plan.crops[0].rect.y == y)
    }

    @Test(arguments: [FrameJob.Target.plan, .image(ImageOutput())])
    func `requested attention does not depend on whether the plan contains faces`(
        response: FrameJob.Target
    ) async throws {
        let blank = try DrawnImage(width: 640, height: 480).jpeg()
        let result = try await plan(blank, response, aspect: AspectRatio(16, 9)) {
            $0.options.accuracy = .high
            $0.options.framing.gravity = .attention
        }
        #expect(result.plan.crops[0].rect.y == 0)
    }
}
