import FaceDetection
import Foundation
import Framing
import Geometry
import Imaging
import Pipeline
import Synchronization
import TestPacing
import TestImages
import Testing
import Workers

/// Stickers on drawn faces.
@Suite(.limitedConcurrency) struct StickerTests {
    private static let size = PixelSize(width: 640, height: 520)
    private static let face = DrawnFace(x: 240, y: 200, side: 160)
    private static let grey: UInt8 = 128

    /// Clocks that advance by a second with each check of the time limit.
    private final class Checks: Sendable {
        private let start = ContinuousClock.now
        private let count = Mutex(0)

        var clocks: TimeLimit.Clocks {
            TimeLimit.Clocks(
                now: {
                    self.start
                        + .seconds(
                            self.count.withLock { count in
                                count += 1
                                return count
                            }
                        )
                },
                processorTime: { .seconds(self.count.withLock { $0 }) }
            )
        }
    }

    private static func leaning(_ roll: Double) throws -> PlanarImage {
        let upright = try DrawnImage(width: size.width, height: size.height, faces: [face]).image()
        let middle = PixelPoint(x: 320, y: 280)
        let turn = Rotation(centre: middle, place: middle, roll: -roll)
        return try upright.turned(turn, to: size, on: .color(red: grey, green: grey, blue: grey))
    }

    /// A plain green image.
    private static func green(_ width: Int, _ height: Int) throws -> [UInt8] {
        try ImageEncoder.encode(
            try TestImage.rgb(PixelSize(width: width, height: height)) { _, _ in (0, 255, 0) },
            as: .png
        )
    }

    private func run(
        _ source: [UInt8],
        _ stickers: [Sticker],
        _ output: ImageOutput = ImageOutput(format: .png),
        limits: PipelineLimits = PipelineLimits(),
        _ change: (inout FrameJob) -> Void = { _ in }
    ) async throws -> FrameResult {
        let service = try WorkerService(
            model: .standard,
            limits: limits,
            pool: .init(workers: 1, queueLimit: 4, maxBytesInFlight: 512 << 20)
        )
        var job = FrameJob(source: source, target: .image(output))
        job.options.framing.gravity = .center
        job.options.stickers = stickers
        change(&job)
        return try await service.run(job)
    }

    private static func decoded(_ image: EncodedImage?) throws -> PlanarImage {
        let bytes = try #require(image).bytes
        let decoded = try ImageDecoder.decode(bytes, header: try ImageHeader.read(bytes))
        return try Resampler.resample(
            decoded,
            region: FractionalRect(PixelRect(decoded.size)),
            to: decoded.size,
            model: .rgb
        )
    }

    /// The centre of the pixels that are nearly pure green, and their number.
    private static func green(in image: PlanarImage) -> (x: Double, y: Double, count: Int) {
        var (x, y, count) = (0.0, 0.0, 0)
        for row in 0..<image.size.height {
            for column in 0..<image.size.width
            where image.planes[1][x: column, y: row] > 200 && image.planes[0][x: column, y: row] < 80
                && image.planes[2][x: column, y: row] < 80
            {
                (x, y, count) = (x + Double(column) + 0.5, y + Double(row) + 0.5, count + 1)
            }
        }
        return (x / Double(max(1, count)), y / Double(max(1, count)), count)
    }

    @Test(arguments: [-25.0, 0, 25])
    func `a sticker is placed by the landmarks and rotates with the face`(roll: Double) async throws {
        let source = try ImageEncoder.encode(try Self.leaning(roll), as: .png)
        for width in [Int?.none, 320] {
            let sticker = Sticker(
                name: "a",
                content: .files([try Self.green(200, 50)]),
                anchor: .eyes,
                width: 2,
                unit: .eyes
            )
            let result = try await run(source, [sticker]) { $0.options.resultSize.width = width }
            let landmarks = try #require(result.plan.faces.first?.landmarks)
            let scale = Double(width ?? Self.size.width) / Double(Self.size.width)
            let (left, right) = (landmarks.leftEye, landmarks.rightEye)
            let (dx, dy) = (right.x - left.x, right.y - left.y)
            let distance = hypot(dx, dy) * scale
            let image = try Self.decoded(result.image)
            let found = Self.green(in: image)
            #expect(hypot(found.x - (left.x + right.x) / 2 * scale, found.y - (left.y + right.y) / 2 * scale) < 2)
            // Twice as wide as the distance between the eyes, and a quarter as high as wide.
            #expect(abs(Double(found.count) / (2 * distance * distance / 2) - 1) < 0.1)
            // Its ends are on the line through the eyes.
            for (side, isInside) in [(-0.9, true), (0.9, true), (1.15, false)] {
                let x = found.x + side * dx * scale
                let y = found.y + side * dy * scale
                #expect((image.planes[0][x: Int(x), y: Int(y)] < 80) == isInside || !isInside)
                #expect((image.planes[1][x: Int(x), y: Int(y)] > 200) == isInside || !isInside)
            }
        }
    }

    @Test func `a sticker that needs landmarks is omitted on a face with uncertain landmarks`() async throws {
        let source = try ImageEncoder.encode(try Self.leaning(0), as: .png)
        let face = try #require(
            try await run(source, [Sticker.own[1]]) { $0.options.framing.gravity = .faces }.plan.faces.first
        )
        var doubtful = face
        doubtful.landmarks?.confidence = 0.49
        var unknown = face
        unknown.landmarks = nil
        var options = FrameOptions()
        options.stickers = Sticker.own
        #expect(options.omittedStickers(on: [face, unknown]).isEmpty)
        // Halos and hats are placed by the boxes of face and head.
        let omitted = options.omittedStickers(on: [face, doubtful, unknown, doubtful])
        #expect(omitted.map(\.name) == ["glasses", "moustache"])
        #expect(omitted.map(\.faces) == [[2, 4], [2, 4]])
        // Only faces that can get stickers are listed.
        let many = [Face](repeating: face, count: Sticker.maxFaces) + [doubtful]
        #expect(options.omittedStickers(on: many).isEmpty)
    }

    @Test func `an animated sticker on a still image ends at the time limit`() throws {
        let source = try ImageEncoder.encode(try Self.leaning(0), as: .png)
        let face = PixelRect(x: 240, y: 200, width: 160, height: 160)
        var limits = PipelineLimits()
        // The halo has 41 frames; a still sticker needs fewer checks.
        limits.maxTime = .seconds(30)
        for (drawn, ends) in [(BuiltInSticker.halo, true), (.hat, false)] {
            let checks = Checks()
            var context = JobContext()
            context.clocks = checks.clocks
            var search = try BoxDetector([face], in: Self.size).model.makeSearch()
            var job = FrameJob(source: source, target: .image(ImageOutput(format: .webp)))
            job.options.stickers = [Sticker(name: "one", content: .drawn(drawn), anchor: .head, width: 1, unit: .face)]
            let measured = try MeasuredJob(job, limits: limits, needs: search.needs)
            switch measured.run(context, search: &search).result {
            case .success(let result): #expect(!ends && result.plan.faces.count == 1)
            case .failure(.tookTooLong(let limit)): #expect(ends && limit == .seconds(30))
            case .failure(let error): Issue.record(error)
            }
        }
    }

    @Test func `an image with uncertain landmarks is unchanged`() async throws {
        let source = try ImageEncoder.encode(try Self.leaning(0), as: .png)
        let service = try WorkerService(
            model: .standard,
            limits: PipelineLimits(),
            pool: .init(workers: 1, queueLimit: 4, maxBytesInFlight: 512 << 20)
        )
        var job = FrameJob(source: source, target: .image(ImageOutput(format: .png)))
        let plain = await service.outcome(of: job)
        job.options.stickers = [Sticker.own[1]]
        for (confidence, isOmitted) in [(0.51, false), (0.49, true)] {
            job.findings = try #require(plain.findings) as DetectionResult
            job.findings?.faces[0].landmarks?.confidence = confidence
            let drawn = try await service.run(job)
            #expect(try (drawn.image?.bytes == plain.result.get().image?.bytes) == isOmitted)
            #expect(drawn.plan.omittedStickers.map(\.faces) == (isOmitted ? [[1]] : []))
        }
    }

    @Test(arguments: Orientation.allCases)
    func `stickers are upright in every EXIF orientation`(orientation: Orientation) async throws {
        let upright = try Self.leaning(0)
        let inverse = try #require(
            Orientation.allCases.first { stored in
                orientation.upright(stored.upright(Self.size)) == Self.size
                    && orientation.upright(
                        stored.upright(PixelRect(x: 0, y: 0, width: 3, height: 1), in: Self.size),
                        in: stored.upright(Self.size)
                    ) == PixelRect(x: 0, y: 0, width: 3, height: 1)
            }
        )
        let stored = try ImageEncoder.encode(try upright.oriented(inverse), as: .jpeg, quality: 95)
        let sticker = Sticker(
            name: "a",
            content: .files([try Self.green(80, 20)]),
            anchor: .mouth,
            width: 1,
            unit: .eyes
        )
        let result = try await run(JPEGSegments.tagged(orientation.rawValue, stored), [sticker])
        let found = Self.green(in: try Self.decoded(result.image))
        let mouth = PixelPoint(x: Double(Self.face.box.x) + 80, y: Double(Self.face.box.y) + 0.77 * 160)
        #expect(hypot(found.x - mouth.x, found.y - mouth.y) < 10)
    }

    @Test func `the halo is above the face and as wide as the face`() async throws {
        let source = try ImageEncoder.encode(try Self.leaning(0), as: .png)
        let halo = try #require(Sticker.own.first { $0.name == "halo" })
        let plain = try Self.decoded(try await run(source, []).image)
        let result = try await run(source, [halo])
        let image = try Self.decoded(result.image)
        let face = try #require(result.plan.faces.first).subject.face
        let height = Double(face.width) * 159 / 351
        var box: PixelRect?
        for y in 0..<Self.size.height {
            for x in 0..<Self.size.width where image.planes[0][x: x, y: y] != plain.planes[0][x: x, y: y] {
                let pixel = PixelRect(x: x, y: y, width: 1, height: 1)
                box = box.map { $0.union(pixel) } ?? pixel
            }
        }
        // The ring and its glow fill the sticker except for a margin; the landmarks may tilt the face a little.
        let changed = try #require(box)
        #expect(changed.x >= face.x - 6 && changed.maxX <= face.maxX + 6)
        #expect(Double(changed.y) >= Double(face.y) - height - 8 && changed.maxY <= face.y + 8)
        #expect(Double(changed.width) > 0.8 * Double(face.width))
    }

    @Test func `an animated sticker makes the output an animation if its format supports it`() async throws {
        let source = try ImageEncoder.encode(try Self.leaning(0), as: .jpeg)
        let halo = try #require(Sticker.own.first { $0.name == "halo" })
        func frames(_ output: ImageOutput, _ limits: PipelineLimits = PipelineLimits()) async throws -> [Int] {
            let bytes = try #require(
                try await run(source, [halo], output, limits: limits) { $0.options.resultSize.width = 200 }.image
            ).bytes
            let header = try ImageHeader.read(bytes)
            guard header.animation != nil else { return [] }
            #expect(header.animation?.plays == 0)
            let stream = try AnimationDecoder.frames(bytes, header: header)
            var times: [Int] = []
            while let frame = try stream.next() { times.append(frame.milliseconds) }
            return times
        }
        #expect(try await frames(ImageOutput(format: .webp)) == [Int](repeating: 50, count: 41))
        #expect(try await frames(ImageOutput(format: .gif)).count == 41)
        #expect(try await frames(ImageOutput(accepted: [.jpeg, .webp])).count == 41)
        for output in [
            ImageOutput(format: .png), ImageOutput(format: .jpeg), ImageOutput(), ImageOutput(accepted: [.jpeg]),
        ] {
            #expect(try await frames(output).isEmpty)
        }
        #expect(try await frames(ImageOutput(format: .webp), PipelineLimits(maxAnimationPixels: 100_000)).isEmpty)
    }

    @Test func `a head covers the sticker behind it`() async throws {
        let source = try ImageEncoder.encode(try Self.leaning(0), as: .png)
        var sticker = Sticker(
            name: "a",
            content: .files([try Self.green(90, 90)]),
            anchor: .head,
            width: 3,
            unit: .face
        )
        let front = Self.green(in: try Self.decoded(try await run(source, [sticker]).image)).count
        sticker.depth = .behind
        let image = try Self.decoded(try await run(source, [sticker]).image)
        let behind = Self.green(in: image).count
        #expect(behind > 0 && behind < front * 9 / 10)
        #expect(image.planes[1][x: 320, y: 280] < 220)
    }

    @Test func `every frame of an animation has the sticker's frame for its time`() async throws {
        let writer = try AnimationEncoder.begin(.webp, size: Self.size, plays: 0, quality: 90)
        for roll in [0.0, 5, 10] { try writer.add(try Self.leaning(roll), milliseconds: 100) }
        let files = [
            try Self.green(60, 15),
            try ImageEncoder.encode(
                try TestImage.rgb(PixelSize(width: 60, height: 15)) { _, _ in (255, 0, 0) },
                as: .png
            ),
        ]
        var sticker = Sticker(name: "a", content: .files(files), anchor: .eyes, width: 2, unit: .eyes)
        sticker.delay = 100
        let result = try await run(try writer.finish(), [sticker], ImageOutput(format: .webp))
        let bytes = try #require(result.image).bytes
        let stream = try AnimationDecoder.frames(bytes, header: try ImageHeader.read(bytes))
        var counts: [Int] = []
        while let frame = try stream.next() { counts.append(Self.green(in: frame.image).count) }
        #expect(counts.count == 3 && counts[0] > 500 && counts[1] < 100 && counts[2] > 500)
    }

    @Test func `without a face the output has no sticker and no animation`() async throws {
        let source = try DrawnImage(width: 300, height: 200).png()
        let result = try await run(source, Sticker.own, ImageOutput(format: .webp))
        let bytes = try #require(result.image).bytes
        #expect(try ImageHeader.read(bytes).animation == nil)
    }

    @Test func `memory for stickers is reserved`() throws {
        func bytes(_ stickers: [Sticker]) throws -> Int {
            var job = FrameJob(
                source: try DrawnImage(width: 640, height: 480).png(),
                target: .image(ImageOutput(format: .webp))
            )
            job.options.stickers = stickers
            return try MeasuredJob(job, limits: PipelineLimits(), needs: PyramidNeeds(smallestDetectableSide: 80))
                .bytesNeeded
        }
        #expect(try bytes(Sticker.own) - bytes([]) > 351 * 159 * 41 * 4)
    }
}
