import Framing
import Geometry
import Imaging
import Pipeline
import TestPacing
import TestImages
import Testing
import Workers

/// Jobs that output several images.
@Suite(.limitedConcurrency) struct ManyImagesTests {
    private static let size = PixelSize(width: 1600, height: 800)
    private static let faces = [
        PixelRect(x: 200, y: 300, width: 240, height: 240), PixelRect(x: 1200, y: 320, width: 160, height: 160),
    ]
    private static let image = Result { try DrawnImage(width: 1600, height: 800).jpeg() }

    private func run(
        _ response: FrameJob.Target,
        faces: [PixelRect] = Self.faces,
        _ change: (inout FrameJob) -> Void = { _ in }
    ) async throws -> (result: FrameResult, looks: Int) {
        let detector = BoxDetector(faces, in: Self.size)
        let service = try WorkerService(
            model: detector.model,
            limits: PipelineLimits(),
            pool: .init(workers: 1, queueLimit: 4, maxBytesInFlight: 256 << 20)
        )
        var job = FrameJob(source: try Self.image.get(), target: response)
        job.options.accuracy = .low
        change(&job)
        return (try await service.run(job), detector.shown.count)
    }

    @Test func `every aspect ratio has a crop, and faces are detected once`() async throws {
        let (result, looks) = try await run(.crops(ImageOutput(format: .png))) { job in
            job.options.aspects = [nil, AspectRatio(1, 1), AspectRatio(9, 16)]
            job.options.resultSize.height = 80
        }
        #expect(looks == 1)
        #expect(result.image == nil)
        #expect(result.images.map(\.size.height) == [80, 80, 80])
        #expect(result.images.map(\.size.width) == [160, 80, 45])
        for (image, crop) in zip(result.images, result.plan.crops) {
            #expect(image.size == crop.output)
            #expect(try ImageHeader.read(image.bytes).size == image.size)
        }
    }

    @Test func `every face has an image, the largest first`() async throws {
        let (result, looks) = try await run(.portraits(ImageOutput()))
        #expect(looks == 1)
        #expect(result.images.count == 2)
        for (index, crop) in result.plan.crops.enumerated() {
            #expect(crop.decision == .face(index + 1))
            #expect(crop.rect.contains(result.plan.faces[index].head))
            let (alone, _) = try await run(.face(index: index + 1, ImageOutput()))
            #expect(alone.plan.crops[0].rect == crop.rect)
            #expect(alone.image?.bytes == result.images[index].bytes)
        }
    }

    @Test func `an image without faces yields no face images`() async throws {
        let (result, _) = try await run(.portraits(ImageOutput()), faces: [])
        #expect(result.images.isEmpty)
        #expect(result.plan.crops.isEmpty)
    }

    @Test func `the total pixels of all images are limited, and their files count towards the memory`() async throws {
        let header = try ImageHeader.read(try Self.image.get())
        let job = FrameJob(source: [], target: .portraits(ImageOutput()))
        let plan = DecodePlan(job: job, header: header, needs: PyramidNeeds(smallestDetectableSide: 80))
        #expect(plan.maxPortraitPixels == 4_000_000)
        let face = FrameJob(source: [], target: .face(index: 1, ImageOutput()))
        let one = DecodePlan(job: face, header: header, needs: PyramidNeeds(smallestDetectableSide: 80)).bytesNeeded
        #expect(plan.bytesNeeded == one + 12_000_000)
        let error = await #expect(throws: PipelineError.self) {
            _ = try await run(.portraits(ImageOutput())) { job in
                job.options.aspects = [AspectRatio(1, 1)]
                job.options.resultSize.width = 1500
                job.options.resultSize.allowsEnlargement = true
            }
        }
        guard case .portraitsTooLarge(4_500_000, 4_000_000) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
