import FaceDetection
import Framing
import Geometry
import Imaging
import Pipeline
import TestPacing
import TestPictures
import Testing
import Workers

/// Whatever the file, the parameters and the format: neither detector finds a face in any picture of a redacted result, in
/// any frame, over any background, and with alpha dropped or alone.
@Suite(.limitedConcurrency) struct RedactionOracleTests {
    private static let size = PixelSize(width: 360, height: 220)
    private static let face = DrawnFace(x: 130, y: 60, side: 100)
    private static let other = DrawnFace(x: 40, y: 60, side: 90)

    /// A source and what it hides.
    struct Source: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]

        var testDescription: String { name }
    }

    private static func pixels(_ faces: [DrawnFace]) -> (_ x: Int, _ y: Int, _ alpha: Int) -> WebPFile.RGBA {
        let bytes = DrawnFace.rgb(faces, size: size)
        return { x, y, alpha in
            let first = (y * size.width + x) * 3
            return (bytes[first], bytes[first + 1], bytes[first + 2], UInt8(alpha))
        }
    }

    private static func png(_ pixel: (_ x: Int, _ y: Int) -> WebPFile.RGBA) -> [UInt8] {
        OddPNG(.rgba).encode(size) { x, y, channel in
            let one = pixel(x, y)
            return Int([one.red, one.green, one.blue, one.alpha][channel])
        }
    }

    private static let whole = PixelRect(size)

    /// Stills and animations that show a face, or hide one where some decoders or viewers do not look.
    static let sources: [Source] = {
        let shown = pixels([face])
        let moved = pixels([other])
        var sources: [Source] = []
        func add(_ name: String, _ bytes: [UInt8]) { sources.append(Source(name: name, bytes: bytes)) }
        for alpha in [0, 1, 3, 5, 40, 255] {
            add("PNG with alpha \(alpha) around a face", png { shown($0, $1, $0 > 60 && $0 < 300 ? alpha : 255) })
        }
        add("PNG whose alpha is the picture", png { (255, 255, 255, shown($0, $1, 0).red) })
        add("black PNG whose alpha is the picture", png { (0, 0, 0, shown($0, $1, 0).red) })
        // A frame for stills that is none of the animation shows another place.
        var hidden = APNGFile(
            size,
            frames: [
                .init(whole) { moved($0, $1, 255) },
                .init(whole) { $0 < 9 && $1 < 9 ? (0, 0, 0, 255) : moved($0, $1, 255) },
            ]
        )
        hidden.hidden = { shown($0, $1, 255) }
        add("APNG whose still is no frame", hidden.bytes)
        let fading = APNGFile(
            size,
            frames: (0..<4).map { index in .init(whole) { shown($0, $1, $0 % 8 == 0 ? 255 : index * 3) } }
        )
        add("APNG that fades in", fading.bytes)
        // The first frame is transparent: a still shows the first that is not.
        let palette = (0..<64).map { (level: Int) -> TestImage.RGB in
            let value = UInt8(level * 4)
            return (value, value, value)
        }
        let frames: [GIFFile.Frame] = [
            .init(whole, transparent: 0) { _, _ in 0 },
            .init(whole) { x, y in shown(x, y, 0).red / 4 },
            .init(whole) { x, y in moved(x, y, 0).red / 4 },
        ]
        let grey = GIFFile(size, palette: palette, frames: frames)
        add("GIF that begins transparent", grey.bytes)
        return sources
    }()

    private static let service = Result {
        try FrameService(
            model: .standard,
            limits: PipelineLimits(),
            pool: .init(workers: 2, queueLimit: 400, maxBytesInFlight: 1 << 30)
        )
    }

    /// What decides which picture a result shows.
    static let requests: [(name: String, change: @Sendable (inout FrameJob) -> Void)] = [
        ("PNG", { $0.answer = .image(ImageOutput(format: .png)) }),
        ("the source's format", { $0.answer = .image(ImageOutput()) }),
        ("WebP", { $0.answer = .image(ImageOutput(format: .webp)) }),
        ("GIF", { $0.answer = .image(ImageOutput(format: .gif)) }),
        ("JPEG", { $0.answer = .image(ImageOutput(format: .jpeg)) }),
        (
            "a limit of bytes",
            {
                var output = ImageOutput(format: .webp)
                output.maxBytes = 5000
                $0.answer = .image(output)
            }
        ),
        (
            "the source's format within bytes",
            {
                var output = ImageOutput()
                output.maxBytes = 40_000
                $0.answer = .image(output)
            }
        ),
        (
            "a still",
            {
                $0.options.animation = .still
                $0.answer = .image(ImageOutput(format: .png))
            }
        ),
        (
            "a region, turned and trimmed",
            {
                $0.options.turn = .right
                $0.options.trim = 10
                $0.answer = .image(ImageOutput(format: .png))
            }
        ),
        (
            "a transparent margin",
            {
                $0.options.aspects = [AspectRatio(1, 1)]
                $0.options.framing.fit = .pad
                $0.options.background = .transparent
                $0.answer = .image(ImageOutput(format: .png))
            }
        ),
        ("an annotated picture", { $0.answer = .debug(ImageOutput(format: .png), showsCrop: false) }),
        ("pictures of faces", { $0.answer = .portraits(ImageOutput(format: .png)) }),
        (
            "half of the size",
            {
                $0.options.resultSize.width = 180
                $0.answer = .image(ImageOutput(format: .png))
            }
        ),
    ]

    @Test(arguments: sources)
    func `no face is found in a redacted result`(source: Source) async throws {
        var detector = try FaceDetectorModel.hog.makeDetector()
        #expect(try Self.faces(in: source.bytes, &detector) > 0, "the source shows a face in some way")
        for (name, change) in Self.requests {
            for faces in [Redaction.Faces.all, .others] {
                var job = FrameJob(source: source.bytes, answer: .image(ImageOutput()))
                job.options.redaction = Redaction(style: .fill, faces: faces)
                job.options.framing.gravity = .center
                change(&job)
                let result: FrameResult
                do {
                    result = try await Self.service.get().run(job)
                } catch PipelineError.codec(.tooManyBytes), PipelineError.noSuchFace {
                    continue
                }
                // With `others` the largest face of a still stays, which is the only one here.
                let isStill = result.plan.source.animation == nil
                if faces == .others, isStill || result.image?.isAnimated == true { continue }
                for image in result.images + [result.image].compactMap(\.self) {
                    #expect(try Self.faces(in: image.bytes, &detector) == 0, "\(name), \(faces)")
                }
            }
        }
    }

    /// The number of faces in all frames and views of a file.
    private static func faces(in bytes: [UInt8], _ detector: inout any FaceDetector) throws -> Int {
        let header = try ImageHeader.read(bytes)
        var pictures = [try ImageDecoder.decode(bytes, header: header)]
        if header.animation != nil {
            let stream = try AnimationDecoder.frames(bytes, header: header)
            while let frame = try stream.next() { pictures.append(frame.image) }
        }
        let network = try FaceNetwork()
        var count = 0
        for picture in pictures {
            let rgb = try Resampler.resample(
                picture,
                region: FractionalRect(PixelRect(picture.size)),
                to: picture.size,
                model: picture.colorModel == .gray ? .gray : .rgb
            )
            for view in try PictureView.allCases.map(rgb.luma) {
                count += try view.withUnsafeSamples { samples in
                    guard let pixels = samples.baseAddress else { return 0 }
                    let image = LumaImage(pixels: pixels, size: view.size, bytesPerRow: view.bytesPerRow)
                    let seen = try network.detect(red: image, green: image, blue: image, threshold: 0).count
                    return try seen + detector.detect(in: image, threshold: 0).count
                }
            }
        }
        return count
    }
}

extension EncodedImage {
    fileprivate var isAnimated: Bool { (try? ImageHeader.read(bytes))?.animation != nil }
}
