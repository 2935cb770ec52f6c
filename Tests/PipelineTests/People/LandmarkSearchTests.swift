import FaceDetection
import Foundation
import Geometry
import Imaging
import Pipeline
import TestPacing
import TestImages
import Testing
import Workers

/// The conversion of landmarks from the detector's image to the source.
@Suite(.limitedConcurrency) struct LandmarkSearchTests {
    private static let face = DrawnFace(x: 200, y: 100, side: 160)
    private static let size = PixelSize(width: 640, height: 400)
    private static let image = DrawnImage(width: size.width, height: size.height, faces: [face])

    private func faces(_ bytes: [UInt8]) async throws -> [Face] {
        let service = try WorkerService(
            model: .standard,
            limits: PipelineLimits(),
            pool: .init(workers: 1, queueLimit: 4, maxBytesInFlight: 256 << 20)
        )
        return try await service.run(FrameJob(source: bytes, target: .plan)).plan.faces
    }

    /// The position of a point of the drawn face in the upright image.
    private func point(_ x: Double, _ y: Double) -> PixelPoint {
        PixelPoint(
            x: Double(Self.face.box.x) + x * Double(Self.face.box.width),
            y: Double(Self.face.box.y) + y * Double(Self.face.box.width)
        )
    }

    private func expect(_ found: PixelPoint, near expected: PixelPoint) {
        #expect(hypot(found.x - expected.x, found.y - expected.y) < 12, "\(found) instead of \(expected)")
    }

    @Test func `eyes are in pixels of the upright image for every EXIF orientation`() async throws {
        for bytes in [try Self.image.jpeg(), try Self.image.sidewaysJPEG()] {
            let landmarks = try #require(try await faces(bytes).first?.landmarks)
            expect(landmarks.leftEye, near: point(0.3, 0.28))
            expect(landmarks.rightEye, near: point(0.7, 0.28))
            expect(landmarks.mouthRight, near: point(0.7, 0.77))
            #expect(abs(landmarks.roll) < 4)
        }
    }

    // The first rotation of the search makes this face upright; a drawn face upside down is also detected as a face.
    @Test func `a lying person has the landmarks and the roll of the rotated face`() async throws {
        let turned = try Self.image.image().oriented(.left)
        let landmarks = try #require(try await faces(try ImageEncoder.encode(turned, as: .png)).first?.landmarks)
        let width = Double(Self.size.width)
        func place(_ point: PixelPoint) -> PixelPoint { PixelPoint(x: point.y, y: width - point.x) }
        // Left and right are defined for a viewer of the upright face.
        expect(landmarks.leftEye, near: place(point(0.3, 0.28)))
        expect(landmarks.rightEye, near: place(point(0.7, 0.28)))
        expect(landmarks.nose, near: place(point(0.5, 0.545)))
        #expect(abs(remainder(landmarks.roll + 90, 360)) < 4)
    }

    @Test func `boxes of other detectors have no landmarks`() async throws {
        let detector = BoxDetector([Self.face.box], in: Self.size)
        let service = try WorkerService(
            model: detector.model,
            limits: PipelineLimits(),
            pool: .init(workers: 1, queueLimit: 4, maxBytesInFlight: 256 << 20)
        )
        let found = try await service.run(FrameJob(source: try Self.image.png(), target: .plan)).plan.faces
        #expect(found.count == 1)
        #expect(found.first?.landmarks == nil)
    }
}
