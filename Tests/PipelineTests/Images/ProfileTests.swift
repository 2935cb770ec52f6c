import FaceDetection
import Framing
import Geometry
import Imaging
import Pipeline
import TestPacing
import TestImages
import Testing
import Workers

/// Colours of outputs: converted or kept, without an effect on faces and crops.
@Suite(.limitedConcurrency) struct ProfileTests {
    private static let profile = ColorProfile(ColorProfile.displayP3Colorants, .srgb)

    /// An image with two faces and a wide-gamut profile.
    private static let jpeg = Result {
        let file = try DrawnImage(
            width: 1200,
            height: 800,
            faces: [DrawnFace(x: 200, y: 200, side: 260), DrawnFace(x: 760, y: 300, side: 200)]
        ).jpeg()
        return JPEGSegments.inserting(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1] + profile.bytes, into: file)
    }

    private func result(
        _ response: FrameJob.Target,
        _ profile: ProfileUse,
        _ change: (inout FrameJob) -> Void = { _ in }
    ) async throws -> FrameResult {
        let service = try WorkerService(
            model: .dlib,
            limits: PipelineLimits(),
            pool: .init(workers: 1, queueLimit: 4, maxBytesInFlight: 512 << 20)
        )
        var job = FrameJob(source: try Self.jpeg.get(), target: response)
        job.options.aspects = [AspectRatio(1, 1)]
        job.options.accuracy = .low
        job.options.profile = profile
        change(&job)
        return try await service.outcome(of: job).result.get()
    }

    private func decoded(_ image: EncodedImage?) throws -> PlanarImage {
        let bytes = try #require(image).bytes
        return try ImageDecoder.decode(bytes, header: try ImageHeader.read(bytes))
    }

    private static let changes: [@Sendable (inout FrameJob) -> Void] = [
        { _ in },
        { $0.options.framing.zoom = 1 },
        { $0.options.framing.gravity = .attention },
        { $0.options.framing.gravity = .center },
        {
            $0.options.aspects = [AspectRatio(1, 3)]
            $0.options.framing.fit = .auto
        },
    ]

    @Test(arguments: changes.indices)
    func `faces and crops do not depend on profile`(index: Int) async throws {
        let response = FrameJob.Target.image(ImageOutput(format: .png))
        let converted = try await result(response, .srgb, Self.changes[index])
        let kept = try await result(response, .keep, Self.changes[index])
        let (one, other) = (converted.plan, kept.plan)
        #expect(one.faces.map(\.box) == other.faces.map(\.box))
        #expect(one.faces.map(\.confidence) == other.faces.map(\.confidence))
        #expect(one.crops.map(\.rect) == other.crops.map(\.rect))
        #expect(one.crops.map(\.output) == other.crops.map(\.output))
        #expect(try decoded(converted.image).iccProfile == nil)
        #expect(try decoded(kept.image).iccProfile == Self.profile.profile)
    }

    @Test func `jobs that differ only in profile share detections but not outputs`() throws {
        let jobs = ProfileUse.allCases.map { use in
            var job = FrameJob(source: [], target: .image(ImageOutput()))
            job.options.profile = use
            return job
        }
        #expect(jobs[0].searchKey == jobs[1].searchKey)
        #expect(jobs[0].requestBytes != jobs[1].requestBytes)
    }

    @Test(arguments: [
        FrameJob.Target.image(ImageOutput(format: .png)), .face(index: 1, ImageOutput(format: .png)),
        .portraits(ImageOutput(format: .png)), .crops(ImageOutput(format: .png)),
    ])
    func `every image of a response is converted`(response: FrameJob.Target) async throws {
        let converted = try await result(response, .srgb) {
            $0.options.aspects = [AspectRatio(1, 1), AspectRatio(2, 1)]
        }
        let kept = try await result(response, .keep) { $0.options.aspects = [AspectRatio(1, 1), AspectRatio(2, 1)] }
        let images = zip(
            converted.images + [converted.image].compactMap(\.self),
            kept.images + [kept.image].compactMap(\.self)
        ).map { $0 }
        #expect(!images.isEmpty)
        for (one, other) in images {
            let (image, original) = (try decoded(one), try decoded(other))
            #expect(image.iccProfile == nil && original.iccProfile != nil)
            for (x, y) in [(3, 3), (image.size.width / 2, image.size.height / 2)] {
                let color = original.planes.map { Double($0[x: x, y: y]) }
                let expected = NaiveColor.srgb(color, ColorProfile.displayP3Colorants, .srgb)
                for (plane, value) in zip(image.planes, expected) {
                    #expect(abs(Double(plane[x: x, y: y]) - value) <= 2)
                }
            }
        }
    }

    @Test func `an annotated image has the source's colours in sRGB and lines in their defined colours`() async throws {
        for use in ProfileUse.allCases {
            let response = FrameJob.Target.debug(ImageOutput(format: .png), showsCrop: true)
            let image = try decoded(try await result(response, use).image)
            #expect((image.iccProfile == nil) == (use == .srgb))
        }
    }

    @Test func `bars have the requested colour in sRGB`() async throws {
        let response = FrameJob.Target.image(ImageOutput(format: .png))
        let image = try decoded(
            try await result(response, .srgb) {
                $0.options.framing.fit = .pad
                $0.options.background = .color(red: 10, green: 200, blue: 30)
            }.image
        )
        #expect(image.planes.map { $0[x: 1, y: 1] } == [10, 200, 30] && image.iccProfile == nil)
    }

    @Test func `a lossless crop keeps the profile`() async throws {
        let image = try decoded(
            try await result(.image(ImageOutput()), .srgb) { $0.options.isLossless = true }.image
        )
        #expect(image.iccProfile == Self.profile.profile)
    }
}
