import FaceDetection
import Framing
import Geometry
import Imaging
import Pipeline
import TestPacing
import TestImages
import Testing
import Workers

/// Animations with a moving crop, and a detector that finds bright squares.
@Suite(.limitedConcurrency) struct MotionTests {
    private static let size = PixelSize(width: 400, height: 160)
    private static let across = (0..<24).map { 20 + 10 * $0 }

    private static func animation(
        _ columns: [Int?],
        as format: OutputFormat,
        background: (Int) -> (UInt8, UInt8, UInt8) = { _ in (20, 30, 60) },
        milliseconds: (Int) -> Int = { 100 + 10 * ($0 % 2) }
    ) throws -> [UInt8] {
        let writer = try AnimationEncoder.begin(format, size: size, plays: 3, quality: 90)
        for (index, column) in columns.enumerated() {
            let image = try TestImage.rgb(size) { x, y in
                guard let column, (column..<column + 24).contains(x), (80..<104).contains(y) else {
                    return background(index)
                }
                return (255, 255, 255)
            }
            try writer.add(image, milliseconds: milliseconds(index))
        }
        return try writer.finish()
    }

    private func run(
        _ source: [UInt8],
        _ motion: MotionChoice = .follow,
        _ response: FrameJob.Target = .image(ImageOutput()),
        _ change: (inout FrameJob) -> Void = { _ in }
    ) async throws -> FrameResult {
        let service = try WorkerService(
            model: FaceDetectorModel(name: "bright") { BrightDetector() },
            limits: PipelineLimits(),
            pool: .init(workers: 1, queueLimit: 4, maxBytesInFlight: 256 << 20)
        )
        var job = FrameJob(source: source, target: response)
        job.options.accuracy = .low
        job.options.aspects = [AspectRatio(1, 1)]
        job.options.motion = motion
        change(&job)
        return try await service.run(job)
    }

    private static func frames(_ image: EncodedImage?) throws -> (info: AnimationInfo, frames: [AnimatedFrame]) {
        let bytes = try #require(image).bytes
        let header = try ImageHeader.read(bytes)
        let stream = try AnimationDecoder.frames(bytes, header: header)
        var frames: [AnimatedFrame] = []
        while let frame = try stream.next() { frames.append(frame) }
        return (try #require(header.animation), frames)
    }

    /// The columns of a frame with nearly white pixels.
    private static func bright(_ image: PlanarImage) throws -> [Int] {
        let luma = try image.luma()
        return luma.withUnsafeSamples { samples in
            (0..<luma.size.width).filter { x in
                (0..<luma.size.height).contains { samples[$0 * luma.bytesPerRow + x] > 200 }
            }
        }
    }

    @Test(arguments: [OutputFormat.gif, .webp, .png])
    func `every frame contains the whole face of a person who crosses the image`(_ format: OutputFormat) async throws {
        let source = try Self.animation(Self.across, as: format)
        let result = try await run(source)
        let crop = result.plan.crops[0]
        let path = try #require(crop.path)
        #expect(path.count == 24 && path.allSatisfy { $0.size == crop.rect.size })
        #expect(zip(path, path.dropFirst()).allSatisfy { $1.x >= $0.x && $1.x - $0.x < 30 })
        let (info, frames) = try Self.frames(result.image)
        #expect(info.plays == 3 && result.image?.format == format)
        #expect(frames.map(\.milliseconds) == (0..<24).map { 100 + 10 * ($0 % 2) })
        for (index, frame) in frames.enumerated() {
            #expect(frame.image.size == crop.output)
            let columns = try Self.bright(frame.image)
            #expect((22...26).contains(columns.count), "frame \(index)")
            let first = Self.across[index] - path[index].x
            #expect(abs(try #require(columns.first) - first) <= 1, "frame \(index)")
        }
        // One crop cannot contain every face.
        let still = try await run(source, .fixed)
        #expect(still.plan.crops[0].path == nil)
        let empty = try Self.frames(still.image).frames.filter { try Self.bright($0.image).isEmpty }
        #expect(!empty.isEmpty)
    }

    @Test func `a crop moves in proportion to time if frames have different durations`() async throws {
        let durations = (0..<18).map { [40, 40, 280][$0 % 3] }
        let times = durations.indices.map { durations[..<$0].reduce(0, +) }
        // At a speed of 120 pixels per second.
        let columns = times.map { 20 + 12 * $0 / 100 }
        let source = try Self.animation(columns, as: .webp, milliseconds: { durations[$0] })
        let path = try #require(try await run(source, .follow, .plan).plan.crops[0].path)
        for (index, rect) in path.enumerated() {
            #expect(rect.x <= columns[index] && rect.x + rect.width >= columns[index] + 24)
        }
        let steps = zip(path.dropFirst(), path).map { $0.x - $1.x }
        for index in stride(from: 2, to: steps.count, by: 3) where steps[index] > 8 {
            #expect(steps[index - 2] + steps[index - 1] < steps[index])
        }
        #expect(steps.contains { $0 > 8 })
    }

    @Test func `a crop follows a person who leaves the still crop in frames that it ignores`() async throws {
        // The still crop uses the eight most different frames: the first frame, and seven frames with a brighter
        // background.
        let columns = (0..<40).map { (17...18).contains($0) ? 340 : 30 }
        let source = try Self.animation(
            columns,
            as: .webp,
            background: { index in
                let grey: UInt8 = (1...7).contains(index) ? 20 + 25 * UInt8(index) : 20
                return (grey, grey, grey)
            }
        )
        let (still, follow) = (try await run(source, .fixed, .plan).plan, try await run(source, .follow, .plan).plan)
        #expect(still.crops[0].outcomes.allSatisfy { $0 == .kept })
        let path = try #require(follow.crops[0].path)
        for (column, rect) in zip(columns, path) {
            #expect(rect.x <= column && rect.x + rect.width >= column + 24)
        }
    }

    @Test(arguments: [OutputFormat.gif, .webp])
    func `the output is the same as with motion=fixed if everyone fits or no face is found`(
        _ format: OutputFormat
    ) async throws {
        for columns in [[Int?]](arrayLiteral: [200, 204, 208, 212], [nil, nil, nil], Array(repeating: 40, count: 5)) {
            let source = try Self.animation(columns, as: format)
            let (still, follow) = (try await run(source, .fixed), try await run(source))
            #expect(follow.plan.crops[0].path == nil)
            #expect(follow.image?.bytes == still.image?.bytes)
        }
    }

    @Test func `a plan contains a path for each aspect ratio, and a still image has none`() async throws {
        let source = try Self.animation(Self.across, as: .webp)
        let plan = try await run(source, .follow, .plan) {
            $0.options.aspects = [AspectRatio(1, 1), AspectRatio(5, 2)]
        }.plan
        #expect(plan.crops.map { $0.path?.count } == [24, nil])
        let first = try await run(source) { $0.options.animation = .still }
        #expect(first.plan.crops[0].path == nil)
    }

    @Test(arguments: [MotionChoice.fixed, .follow])
    func `a moving crop can be rotated and scaled`(_ motion: MotionChoice) async throws {
        let result = try await run(try Self.animation(Self.across, as: .webp), motion) {
            $0.options.turn = Orientation(quarters: 2, mirrorsColumns: false, mirrorsRows: false)
            $0.options.resultSize.width = 80
        }
        let frames = try Self.frames(result.image).frames
        #expect(frames.allSatisfy { $0.image.size == PixelSize(width: 80, height: 80) })
        let whole = try frames.filter { (10...14).contains(try Self.bright($0.image).count) }
        #expect((whole.count == 24) == (motion == .follow))
    }
}
