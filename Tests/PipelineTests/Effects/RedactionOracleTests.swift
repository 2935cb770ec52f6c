import FaceDetection
import Framing
import Geometry
import Imaging
import Pipeline
import TestPacing
import TestRedaction
import Testing
import Workers

/// For every file, parameter and format, no detector may find a face in any image of a redacted output.
///
/// Every frame is searched: over every background, without alpha, and in the alpha channel alone.
@Suite(.limitedConcurrency) struct RedactionOracleTests {
    private static let service = Result {
        try WorkerService(
            model: .standard,
            limits: PipelineLimits(),
            pool: .init(workers: 2, queueLimit: 400, maxBytesInFlight: 1 << 30)
        )
    }

    /// Requests that produce different images.
    static let requests: [(name: String, change: @Sendable (inout FrameJob) -> Void)] = [
        ("PNG", { $0.target = .image(ImageOutput(format: .png)) }),
        ("the source's format", { $0.target = .image(ImageOutput()) }),
        ("WebP", { $0.target = .image(ImageOutput(format: .webp)) }),
        ("the source's quality", { $0.target = .image(ImageOutput(quality: .source)) }),
        ("AVIF", { $0.target = .image(ImageOutput(format: .avif)) }),
        ("GIF", { $0.target = .image(ImageOutput(format: .gif)) }),
        ("JPEG", { $0.target = .image(ImageOutput(format: .jpeg)) }),
        (
            "a limit of bytes",
            {
                var output = ImageOutput(format: .webp)
                output.maxBytes = 5000
                $0.target = .image(output)
            }
        ),
        (
            "the source's format within bytes",
            {
                var output = ImageOutput()
                output.maxBytes = 40_000
                $0.target = .image(output)
            }
        ),
        (
            "a still",
            {
                $0.options.animation = .still
                $0.target = .image(ImageOutput(format: .png))
            }
        ),
        (
            "a region, turned and trimmed",
            {
                $0.options.region = Region(
                    x: .share(0.1),
                    y: .share(0.1),
                    width: .share(0.8),
                    height: .share(0.8)
                )
                $0.options.turn = .right
                $0.options.trim = 10
                $0.target = .image(ImageOutput(format: .png))
            }
        ),
        (
            "a transparent margin",
            {
                $0.options.aspects = [AspectRatio(1, 1)]
                $0.options.framing.fit = .pad
                $0.options.background = .transparent
                $0.target = .image(ImageOutput(format: .png))
            }
        ),
        ("an annotated image", { $0.target = .debug(ImageOutput(format: .png), showsCrop: false) }),
        ("images of faces", { $0.target = .portraits(ImageOutput(format: .png)) }),
        (
            "half of the size",
            {
                $0.options.resultSize.width = 180
                $0.target = .image(ImageOutput(format: .png))
            }
        ),
    ]

    @Test(arguments: RedactionOracle.sources)
    func `no face is found in a redacted output`(source: RedactionOracle.Source) async throws {
        #expect(try RedactionOracle.faces(in: source.bytes) > 0, "the source contains a detectable face")
        let moves = try ImageHeader.read(source.bytes).animation != nil
        for (name, change) in Self.requests {
            for faces in moves ? [Redaction.Faces.all, .others] : [.all] {
                var job = FrameJob(source: source.bytes, target: .image(ImageOutput()))
                job.options.redaction = Redaction(style: .fill, faces: faces)
                job.options.framing.gravity = .center
                change(&job)
                let result: FrameResult
                do {
                    result = try await Self.service.get().run(job)
                } catch PipelineError.codec(.tooManyBytes), PipelineError.noSuchFace {
                    continue
                }
                // With `others`, the largest face of a still image stays visible. Here it is the only face.
                let isStill = result.plan.source.animation == nil
                if faces == .others, isStill || result.image?.isAnimated == true { continue }
                for image in result.images + [result.image].compactMap(\.self) {
                    #expect(try RedactionOracle.faces(in: image.bytes) == 0, "\(name), \(faces)")
                }
            }
        }
    }
}

extension EncodedImage {
    fileprivate var isAnimated: Bool { (try? ImageHeader.read(bytes))?.animation != nil }
}
