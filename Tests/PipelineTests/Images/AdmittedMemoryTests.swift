import FaceDetection
import Framing
import Geometry
import Imaging
import Pipeline
import TestPacing
import TestImages
import Testing

/// Compares the memory that jobs reserve with the planes that they allocate.
///
/// Steps allocate planes. Codecs and detection use other memory, so the planes of a job take less than its reserved
/// memory.
@Suite("Memory that jobs reserve", .limitedConcurrency)
struct AdmittedMemoryTests {
    /// A feature that a job may request.
    struct Wish: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let change: @Sendable (inout FrameJob) throws -> Void

        init(_ name: String, _ change: @escaping @Sendable (inout FrameJob) throws -> Void) {
            testDescription = name
            self.change = change
        }
    }

    private static let size = PixelSize(width: 240, height: 180)
    private static let face = PixelRect(x: 90, y: 60, width: 60, height: 60)

    private static func overlay() throws -> [UInt8] {
        try ImageEncoder.encode(TestImage.rgb(PixelSize(width: 40, height: 20)) { _, _ in (0, 255, 0) }, as: .png)
    }

    static let wishes: [Wish] = [
        Wish("nothing") { _ in },
        Wish("aspect=1:1") { $0.options.aspects = [AspectRatio(1, 1)] },
        Wish("width=600") { $0.options.resultSize.width = 600 },
        Wish("width=60") { $0.options.resultSize.width = 60 },
        Wish("fit=pad") {
            $0.options.framing.fit = .pad
            $0.options.aspects = [AspectRatio(3, 1)]
        },
        Wish("background=transparent") { $0.options.background = .transparent },
        Wish("background=blur") { $0.options.background = .blur },
        Wish("flattens alpha") { $0.options.flattensAlpha = true },
        Wish("rotate=90") { $0.options.turn = .right },
        Wish("mask=circle") { $0.options.mask = .circle },
        Wish("mask=rounded") { $0.options.mask = .rounded(.share(0.2)) },
        Wish("filter=sepia") { $0.options.filters = [.sepia] },
        Wish("filter=blur:3") { $0.options.filters = [.blur(3)] },
        Wish("filter=blur:40") { $0.options.filters = [.blur(40)] },
        Wish("filter=sharpen:2:5") { $0.options.filters = [.sharpen(2, radius: 5)] },
        Wish("eight filters") { $0.options.filters = Array(repeating: .blur(1), count: 8) },
        Wish("key") { $0.options.key = ChromaKey(color: KeyColor(red: 0, green: 177, blue: 64)) },
        Wish("key=auto") { $0.options.key = ChromaKey(color: nil) },
        Wish("backdrop=blur") {
            $0.options.key = ChromaKey(color: KeyColor(red: 0, green: 177, blue: 64))
            $0.options.backdrop = .blur
        },
        Wish("backdrop=picture") {
            $0.options.key = ChromaKey(color: KeyColor(red: 0, green: 177, blue: 64))
            $0.options.backdrop = .image
            $0.backdrop = SourceBytes(try DrawnImage(width: 300, height: 300).jpeg())
        },
        Wish("mark") {
            var mark = Watermark(name: "logo")
            mark.content = .files([try overlay()])
            $0.options.mark = mark
        },
        Wish("overlay") { $0.options.stickers = Array(Sticker.own.prefix(1)) },
        Wish("redact=blur") { $0.options.redaction = Redaction(style: .blur, faces: .all) },
        Wish("redact=pixelate") { $0.options.redaction = Redaction(style: .pixelate, faces: .all) },
        Wish("trim=10") { $0.options.trim = 10 },
        Wish("profile=keep") { $0.options.profile = .keep },
        Wish("placeholder=blurhash") { $0.options.placeholder = .blurhash },
        Wish("gravity=attention") { $0.options.framing.gravity = .attention },
        Wish("zoom=1") { $0.options.framing.zoom = 1 },
    ]

    private static let model = BoxDetector([face], in: size).model

    /// The sources: opaque, with alpha, and grey.
    private static let sources: Result<[[UInt8]], any Error> = Result {
        let drawn = DrawnImage(width: size.width, height: size.height)
        let alpha = try TestImage.rgb(size) { x, y in (UInt8(x % 256), UInt8(y % 256), 90) }
        let translucent = PlanarImage(
            size: size,
            colorModel: .rgb,
            planes: alpha.planes,
            alpha: try Plane(size) { x, y in UInt8((x + y) % 256) }
        )
        let gray = try TestImage.gray(size) { x, y in UInt8((x ^ y) % 256) }
        return [
            try drawn.jpeg(), try ImageEncoder.encode(translucent, as: .png), try ImageEncoder.encode(gray, as: .png),
        ]
    }

    /// The memory of a job in bytes: the reserved memory, and the maximum of its planes.
    private func memory(
        _ source: [UInt8],
        _ wishes: [Wish],
        as format: OutputFormat
    ) throws -> (admitted: Int, held: Int) {
        var job = FrameJob(source: source, target: .image(ImageOutput(format: format)))
        for wish in wishes { try wish.change(&job) }
        var search = try Self.model.makeSearch()
        let measured = try MeasuredJob(job, limits: PipelineLimits(), needs: search.needs)
        let held = try PlaneMemory.peak { _ = try measured.run(JobContext(), search: &search).result.get() }
        return (measured.bytesNeeded, held)
    }

    @Test(arguments: wishes)
    func `for every pair of parameters the planes of a job fit into its reserved memory`(first: Wish) throws {
        for second in Self.wishes {
            for (source, format) in zip(try Self.sources.get(), [OutputFormat.jpeg, .webp, .png]) {
                let (admitted, held) = try memory(source, [first, second], as: format)
                #expect(held <= admitted, "\(first.testDescription), \(second.testDescription), \(format)")
            }
        }
    }
}
