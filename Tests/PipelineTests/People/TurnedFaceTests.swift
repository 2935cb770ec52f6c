import FaceDetection
import Foundation
import Framing
import Geometry
import Imaging
import Pipeline
import TestPacing
import TestImages
import Testing
import Workers

/// Images of faces that are rotated until they are upright.
@Suite(.limitedConcurrency) struct TurnedFaceTests {
    private static let size = PixelSize(width: 640, height: 520)

    /// A face that is rotated clockwise around the image's centre by some degrees.
    private static func leaning(_ roll: Double) throws -> [UInt8] {
        let face = DrawnFace(x: 240, y: 180, side: 160)
        let upright = try DrawnImage(width: size.width, height: size.height, faces: [face]).image()
        let middle = PixelPoint(x: 320, y: 260)
        let turn = Rotation(centre: middle, place: middle, roll: -roll)
        return try ImageEncoder.encode(
            try upright.turned(turn, to: size, on: .color(red: 128, green: 128, blue: 128)),
            as: .png
        )
    }

    private func service() throws -> WorkerService {
        try WorkerService(
            model: .standard,
            limits: PipelineLimits(),
            pool: .init(workers: 1, queueLimit: 4, maxBytesInFlight: 256 << 20)
        )
    }

    private func run(
        _ source: [UInt8],
        _ turn: FaceTurn,
        _ change: (inout FrameJob) -> Void = { _ in }
    ) async throws -> (result: FrameResult, bytes: [UInt8]) {
        var job = FrameJob(source: source, target: .face(index: 1, ImageOutput(format: .png)))
        job.options.faceTurn = turn
        change(&job)
        let result = try await service().run(job)
        return (result, try #require(result.image).bytes)
    }

    /// The landmarks of the only face in an image.
    private func landmarks(_ bytes: [UInt8]) async throws -> FaceLandmarks {
        let faces = try await service().run(FrameJob(source: bytes, target: .plan)).plan.faces
        return try #require(faces.first?.landmarks)
    }

    @Test(arguments: [-25.0, -12, 0, 12, 25])
    func `a leaning face becomes upright`(roll: Double) async throws {
        let source = try Self.leaning(roll)
        let (result, bytes) = try await run(source, .upright) { $0.options.framing.padding = .fraction(0.3) }
        let crop = result.plan.crops[0]
        let turned = try #require(crop.turned)
        #expect(abs(turned.roll - roll) < 6)
        #expect(crop.output == turned.size && result.image?.size == crop.output)
        #expect(abs(try await landmarks(bytes).roll) < 6)
    }

    @Test(arguments: [-20.0, 0, 20])
    func `eyes are always at the same position`(roll: Double) async throws {
        let source = try Self.leaning(roll)
        for (height, aspect) in [(0.4, AspectRatio?.none), (0.5, AspectRatio(4, 5))] {
            let (result, bytes) = try await run(source, .eyes(height: height)) {
                $0.options.aspects = [aspect]
                $0.options.resultSize.width = 240
                $0.options.resultSize.allowsEnlargement = true
                $0.options.background = .blur
            }
            let size = result.plan.crops[0].output
            #expect(size == PixelSize(width: 240, height: aspect == nil ? 240 : 300))
            // The centre of the eyes in this plan is exact; the eyes that are detected again are close to it.
            let turned = try #require(result.plan.crops[0].turned)
            let known = try #require(result.plan.faces.first?.landmarks)
            let distance = hypot(known.rightEye.x - known.leftEye.x, known.rightEye.y - known.leftEye.y)
            #expect(abs(distance / turned.width - 0.25) < 0.001)
            let found = try await landmarks(bytes)
            #expect(abs(found.leftEye.x - 90) < 10 && abs(found.rightEye.x - 150) < 10)
            for eye in [found.leftEye, found.rightEye] { #expect(abs(eye.y - height * Double(size.height)) < 10) }
        }
    }

    @Test(arguments: [0.1, 0.25, 0.4])
    func `the distance between the eyes is as requested`(share: Double) async throws {
        let face = try #require(
            try await service().run(FrameJob(source: try Self.leaning(20), target: .plan)).plan.faces.first
        )
        let known = try #require(face.landmarks)
        let distance = hypot(known.rightEye.x - known.leftEye.x, known.rightEye.y - known.leftEye.y)
        for aspect in [AspectRatio?.none, AspectRatio(35, 45), AspectRatio(3, 1)] {
            let turn = FaceTurn.eyes(height: 0.4, distance: share)
            let crop = RotatedCrop(face, turn, aspect: aspect, padding: .fraction(0), in: Self.size)
            #expect(abs(distance / min(crop.width, crop.height) - share) < 0.001)
        }
    }

    @Test(arguments: [Orientation.up, .down, .left])
    func `a rotated image yields the same number of faces`(turn: Orientation) async throws {
        let faces = [(60, 60, 130), (260, 220, 120), (450, 60, 110)].map { DrawnFace(x: $0.0, y: $0.1, side: $0.2) }
        let upright = try DrawnImage(width: Self.size.width, height: Self.size.height, faces: faces).image()
        let source = try ImageEncoder.encode(try upright.oriented(turn), as: .png)
        let plan = try await service().run(FrameJob(source: source, target: .plan)).plan
        #expect(plan.faces.count == 3)
    }

    @Test func `the background fills the area outside the image`() async throws {
        let face = DrawnFace(x: 30, y: 30, side: 160)
        let source = try DrawnImage(width: 400, height: 400, faces: [face]).png()
        for background in [Background.color(red: 0, green: 200, blue: 0), .transparent] {
            let (_, bytes) = try await run(source, .eyes(height: 0.4)) {
                $0.options.background = background
                $0.options.aspects = [AspectRatio(3, 1)]
            }
            let image = try ImageDecoder.decode(bytes, header: try ImageHeader.read(bytes))
            if background == .transparent {
                #expect(image.alpha?[x: 2, y: 2] == 0)
            } else {
                #expect(image.planes.prefix(3).map { $0[x: 2, y: 2] } == [0, 200, 0])
            }
        }
    }

    @Test func `every face of an archive is aligned`() async throws {
        let faces = [DrawnFace(x: 80, y: 120, side: 150), DrawnFace(x: 420, y: 130, side: 110)]
        let source = try DrawnImage(width: 720, height: 420, faces: faces).png()
        var job = FrameJob(source: source, target: .portraits(ImageOutput(format: .png)))
        job.options.faceTurn = .eyes(height: 0.4)
        job.options.resultSize.width = 200
        job.options.resultSize.allowsEnlargement = true
        let result = try await service().run(job)
        #expect(result.images.map(\.size) == [PixelSize(width: 200, height: 200), PixelSize(width: 200, height: 200)])
        for image in result.images {
            let found = try await landmarks(image.bytes)
            #expect(abs(found.leftEye.x - 75) < 9 && abs(found.rightEye.x - 125) < 9 && abs(found.leftEye.y - 80) < 9)
        }
    }

    @Test(arguments: [FaceTurn.upright, .eyes(height: 0.4)])
    func `a face with uncertain landmarks is not rotated`(turn: FaceTurn) async throws {
        let plan = try await service().run(FrameJob(source: try Self.leaning(20), target: .plan)).plan
        var face = try #require(plan.faces.first)
        for (confidence, isDoubtful) in [(0.51, false), (0.49, true)] {
            face.landmarks?.confidence = confidence
            let crop = RotatedCrop(face, turn, aspect: nil, padding: .fraction(0.3), in: Self.size)
            #expect(crop.isDoubtful == isDoubtful)
            #expect(abs(crop.roll - (isDoubtful ? 0 : 20)) < 6)
        }
        face.landmarks = nil
        #expect(!RotatedCrop(face, turn, aspect: nil, padding: .fraction(0.3), in: Self.size).isDoubtful)
    }

    @Test func `unknown eyes are placed where a frontal face has them in the detector's box`() async throws {
        var face = try #require(
            try await service().run(FrameJob(source: try Self.leaning(0), target: .plan)).plan.faces.first
        )
        face.landmarks = nil
        // The network's boxes are higher than wide.
        for (finder, box, y, apart) in [
            (Detection.Finder.network, PixelRect(x: 100, y: 100, width: 90, height: 120), 148.0, 39.6),
            (.detector, PixelRect(x: 100, y: 100, width: 100, height: 100), 128, 40),
        ] {
            (face.finder, face.box) = (finder, box)
            let crop = RotatedCrop(face, .eyes(height: 0.5), aspect: nil, padding: .fraction(0), in: Self.size)
            #expect(abs(crop.centre.x - box.centre.x) < 0.01 && abs(crop.centre.y - y) < 0.01)
            #expect(abs(crop.width - 4 * apart) < 0.01 && crop.width == crop.height)
        }
    }

    @Test func `a face from another detector is not rotated`() async throws {
        let size = PixelSize(width: 400, height: 300)
        let frames = try WorkerService(
            model: BoxDetector([PixelRect(x: 150, y: 100, width: 100, height: 100)], in: size).model,
            limits: PipelineLimits(),
            pool: .init(workers: 1, queueLimit: 4, maxBytesInFlight: 256 << 20)
        )
        for turn in [FaceTurn.upright, .eyes(height: 0.4)] {
            var job = FrameJob(source: try DrawnImage(width: 400, height: 300).png(), target: .facePlan(index: 1))
            job.options.faceTurn = turn
            let turned = try #require(try await frames.run(job).plan.crops[0].turned)
            #expect(turned.roll == 0 && abs(turned.centre.x - 200) < 6)
        }
    }

    @Test func `an output that is too large is rejected`() async throws {
        let source = try Self.leaning(0)
        await #expect(throws: PipelineError.self) {
            try await run(source, .upright) { $0.options.framing.padding = .fraction(10) }
        }
    }

    @Test func `memory for the output is reserved`() throws {
        func bytes(_ width: Int?) throws -> Int {
            var job = FrameJob(source: try Self.leaning(0), target: .face(index: 1, ImageOutput(format: .png)))
            job.options.faceTurn = .eyes(height: 0.4)
            job.options.resultSize.width = width
            return try MeasuredJob(job, limits: PipelineLimits(), needs: PyramidNeeds(smallestDetectableSide: 80))
                .bytesNeeded
        }
        #expect(try bytes(2000) - bytes(200) >= (2000 * 2000 - 200 * 200) * 36)
        #expect(try bytes(nil) > bytes(200))
    }
}
