import FaceDetection
import Framing
import Geometry
import Imaging
import Pipeline
import TestPacing
import TestPictures
import Testing
import Workers

/// Masks in all frames of an animation, also in those where the face is missed.
@Suite(.limitedConcurrency) struct RedactedAnimationTests {
    private static let size = PixelSize(width: 300, height: 160)

    /// Frames of 100 ms with a square: white is found, and the duller green is missed.
    private static func animation(_ squares: [(x: Int, isFound: Bool)?], as format: ImageFormat) throws -> [UInt8] {
        let writer = try AnimationEncoder.begin(format, size: size, plays: 0, quality: 95)
        for (index, square) in squares.enumerated() {
            let picture = try TestImage.rgb(size) { x, y in
                guard let square, (square.x..<square.x + 30).contains(x), (70..<100).contains(y) else {
                    // Frames differ, so that none is joined with another.
                    return (20, 30, UInt8(60 + 2 * index))
                }
                return square.isFound ? (255, 255, 255) : (0, 190, 0)
            }
            try writer.add(picture, milliseconds: 100)
        }
        return try writer.finish()
    }

    private func run(_ source: [UInt8], _ change: (inout FrameJob) -> Void = { _ in }) async throws -> FrameResult {
        let service = try FrameService(
            model: FaceDetectorModel(name: "bright") { BrightDetector() },
            limits: PipelineLimits(),
            pool: .init(workers: 1, queueLimit: 4, maxBytesInFlight: 256 << 20)
        )
        var job = FrameJob(source: source, answer: .image(ImageOutput()))
        job.options.accuracy = .low
        job.options.framing.gravity = .center
        job.options.redaction = Redaction(style: .fill)
        change(&job)
        return try await service.run(job)
    }

    /// Whether the animation shows the square at `x`, white or green, in each tenth of a second: equal frames may be one.
    private static func shown(_ image: EncodedImage?, at x: Int) throws -> [Bool] {
        let bytes = try #require(image).bytes
        let stream = try AnimationDecoder.frames(bytes, header: try ImageHeader.read(bytes))
        var shown: [Bool] = []
        while let frame = try stream.next() {
            let isShown = frame.image.planes[1][x: x + 15, y: 85] > 165
            shown += [Bool](repeating: isShown, count: frame.milliseconds / 100)
        }
        return shown
    }

    @Test(arguments: [ImageFormat.gif, .webp])
    func `the mask is held where the face is missed`(format: ImageFormat) async throws {
        let found = [false, true, true, false, false, true, false].map { (x: 120, isFound: $0) }
        let source = try Self.animation(found, as: format)
        #expect(try Self.shown(try await run(source) { $0.options.redaction = nil }.image, at: 120).allSatisfy(\.self))
        let result = try await run(source)
        #expect(result.image?.format == format)
        #expect(result.plan.redaction == Redaction(style: .fill))
        let shown = try Self.shown(result.image, at: 120)
        #expect(shown.count == 7 && !shown.contains(true))
    }

    @Test func `a mask is not held for ever`() async throws {
        let squares = (0..<30).map { (x: 120, isFound: $0 < 3) }
        let shown = try Self.shown(try await run(try Self.animation(squares, as: .webp)).image, at: 120)
        #expect(shown.prefix(13).allSatisfy { !$0 } && shown.suffix(10).allSatisfy(\.self))
    }

    @Test func `a face in a part of the frames is chosen by its number`() async throws {
        let squares = [(20, true), (20, true), (230, true), (230, true)].map { (x: $0.0, isFound: $0.1) }
        let source = try Self.animation(squares, as: .webp)
        let plan = try await run(source).plan
        let first = try #require(plan.faces.firstIndex { $0.box.x < 100 })
        let result = try await run(source) {
            $0.options.redaction = Redaction(style: .fill, faces: .numbers([first + 1]))
        }
        #expect(try Self.shown(result.image, at: 20) == [false, false, false, false])
        #expect(try Self.shown(result.image, at: 230) == [false, false, true, true])
    }

    @Test func `a result that becomes still is redacted too`() async throws {
        let source = try Self.animation([(120, true), (120, true)], as: .gif)
        for change: (inout FrameJob) -> Void in [
            { $0.options.animation = .still },
            { $0.answer = .image(ImageOutput(format: .png)) },
            {
                var output = ImageOutput(format: .webp)
                // One byte is too little for the animation, and refused for the still.
                output.maxBytes = 400
                $0.answer = .image(output)
            },
        ] {
            let result = try await run(source, change)
            let bytes = try #require(result.image).bytes
            let image = try ImageDecoder.decode(bytes, header: try ImageHeader.read(bytes))
            let rgb = try Resampler.resample(
                image,
                region: FractionalRect(PixelRect(image.size)),
                to: image.size,
                model: .rgb
            )
            #expect((100...150).contains(rgb.planes[1][x: 135, y: 85]))
        }
    }
}
