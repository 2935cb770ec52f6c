import Cryptography
import Encodings
import FaceDetection
import Framing
import Geometry
import HeadroomAPI
import Imaging
import Pipeline
import Requests
import TestPacing
import TestImages
import Testing
import Workers

/// Caches keep responses for a year under a key that contains ``ResponseKey/version``: if the bytes of a response
/// change, the version must change.
///
/// Decoded pixels are digested, so the digests depend on this program and not on the compression libraries. Images are
/// not scaled, because scaling depends on the processor.
@Suite(.limitedConcurrency) struct ResponseVersionTests {
    private static let version = 14

    private static let digests: [String: String] = [
        "crop": "320×320 434e062b546053c0",
        "blur": "640×320 d118f0df2a7c61e0",
        "pixelate": "640×320 730cf0fda93c366f",
        "fill": "640×320 89a812e99040a0f3",
        "bars": "960×320 638ac31ccf570960",
        "filter": "640×320 be0aee4bc714a494",
        "annotated": "640×320 fd39816e6b39420f",
    ]

    private static let requests: [(name: String, change: @Sendable (inout FrameJob) -> Void)] = [
        ("crop", { $0.options.aspects = [AspectRatio(1, 1)] }),
        ("blur", { $0.options.redaction = Redaction(style: .blur) }),
        ("pixelate", { $0.options.redaction = Redaction(style: .pixelate) }),
        ("fill", { $0.options.redaction = Redaction(style: .fill) }),
        (
            "bars",
            {
                $0.options.aspects = [AspectRatio(3, 1)]
                $0.options.framing.fit = .pad
            }
        ),
        ("filter", { $0.options.filters = [.mono, .invert] }),
        ("annotated", { $0.target = .debug(ImageOutput(format: .png), showsCrop: true) }),
    ]

    @Test func `responses change only if the version changes`() async throws {
        let service = try WorkerService(
            model: .standard,
            limits: PipelineLimits(),
            pool: .init(workers: 1, queueLimit: 64, maxBytesInFlight: 256 << 20)
        )
        let faces = [DrawnFace(x: 120, y: 110, side: 120), DrawnFace(x: 420, y: 130, side: 90)]
        let size = PixelSize(width: 640, height: 320)
        let bytes = DrawnFace.rgb(faces, size: size)
        // Pixels of every alpha, including transparent ones.
        let source = OddPNG(.rgba).encode(size) { x, y, channel in
            channel == 3 ? (x < 600 ? 255 : y % 256) : Int(bytes[(y * size.width + x) * 3 + channel])
        }
        var found: [String: String] = [:]
        for (name, change) in Self.requests {
            var job = FrameJob(source: source, target: .image(ImageOutput(format: .png)))
            change(&job)
            let file = try #require(try await service.run(job).image).bytes
            let image = try ImageDecoder.decode(file, header: try ImageHeader.read(file))
            let samples = (image.planes + [image.alpha].compactMap(\.self)).flatMap { plane in
                plane.withUnsafeSamples { samples in
                    (0..<plane.size.height).flatMap {
                        samples[$0 * plane.bytesPerRow..<$0 * plane.bytesPerRow + plane.size.width]
                    }
                }
            }
            found[name] =
                "\(image.size.width)×\(image.size.height) \(Hexadecimal.text(SHA256.digest(of: samples)).prefix(16))"
        }
        #expect(ResponseKey.version == Self.version)
        #expect(found == Self.digests, "raise ResponseKey.version, and list in the changelog the caches to purge")
    }
}
