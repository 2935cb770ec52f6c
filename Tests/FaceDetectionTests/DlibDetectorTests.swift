import FaceDetection
import Geometry
import Imaging
import Synchronization
import TestPacing
import Testing

@Suite("dlib's detector", .limitedConcurrency)
struct DlibDetectorTests {
    @Test(arguments: [80, 91, 104, 128, 150, 177, 200, 256, 311, 400])
    func `a drawn face is found at its position`(side: Int) throws {
        let image = LumaTestImage(faceOfSide: side)
        let found = try image.detections(by: FaceDetectorModel.dlib.makeDetector())
        let face = try #require(found.first)
        #expect(found.count == 1)
        #expect(face.confidence > 1)
        #expect(face.pose == .frontal)
        #expect(overlap(face.box, PixelRect(x: side / 2, y: side / 2, width: side, height: side)) > 0.6)
    }

    @Test func `two faces are found, the face with the higher score first`() throws {
        let faces = [DrawnFace(x: 60, y: 60, side: 100), DrawnFace(x: 330, y: 90, side: 160)]
        let found = try LumaTestImage(faces, width: 600, height: 400).detections(
            by: FaceDetectorModel.dlib.makeDetector()
        )
        #expect(found.count == 2)
        #expect(found.map(\.confidence) == found.map(\.confidence).sorted(by: >))
        for face in faces { #expect(found.contains { overlap($0.box, face.box) > 0.6 }) }
    }

    @Test func `a blank image has no faces`() throws {
        #expect(
            try LumaTestImage(width: 300, height: 200).detections(by: FaceDetectorModel.dlib.makeDetector()).isEmpty
        )
    }

    @Test(arguments: [(1, 1), (2, 2), (1, 500), (500, 1), (7, 9), (16, 16), (24, 300), (79, 79), (81, 81)])
    func `no face is found in an image smaller than a face`(width: Int, height: Int) throws {
        let image = LumaTestImage(width: width, height: height)
        #expect(try image.detections(by: FaceDetectorModel.dlib.makeDetector()).isEmpty)
    }

    @Test func `a threshold above a face's score hides the face, and does not change scores`() throws {
        let image = LumaTestImage(faceOfSide: 100)
        let detector = try FaceDetectorModel.dlib.makeDetector()
        let score = try #require(try image.detections(by: detector).first).confidence
        #expect(try image.detections(by: detector, threshold: score + 0.01).isEmpty)
        #expect(try image.detections(by: detector, threshold: score - 0.01).map(\.confidence) == [score])
        #expect(try image.detections(by: detector, threshold: -1).first?.confidence == score)
    }

    @Test func `bytes between rows are ignored`() throws {
        let image = LumaTestImage(faceOfSide: 90)
        let detector = try FaceDetectorModel.dlib.makeDetector()
        let expected = try image.detections(by: detector)
        #expect(!expected.isEmpty)
        for (count, junk) in [(181, 0), (192, 255), (256, 77)] as [(Int, UInt8)] {
            #expect(try image.withBytesPerRow(count, junk: junk).detections(by: detector) == expected)
        }
    }

    @Test func `a detector gives the same results if it is reused for larger and smaller images`() throws {
        let detector = try FaceDetectorModel.dlib.makeDetector()
        let image = LumaTestImage(faceOfSide: 120)
        let first = try image.detections(by: detector)
        for side in [300, 20, 90] { _ = try LumaTestImage(faceOfSide: side).detections(by: detector) }
        #expect(try image.detections(by: detector) == first)
    }

    @Test func `processors with and without AVX2 give the same results`() throws {
        let plain = try DlibDetector.frontalWithoutAVX2()
        let best = try FaceDetectorModel.dlib.makeDetector()
        for side in [80, 111, 145, 199] {
            let image = LumaTestImage(faceOfSide: side, background: 90)
            let (a, b) = (
                try image.detections(by: plain, threshold: -1), try image.detections(by: best, threshold: -1)
            )
            #expect(!a.isEmpty)
            #expect(a.map(\.box) == b.map(\.box))
            #expect(a.map(\.pose) == b.map(\.pose))
            for (one, other) in zip(a, b) { #expect(abs(one.confidence - other.confidence) < 1e-5) }
        }
    }

    @Test(arguments: [Double.nan, -.infinity, .infinity, -2.1, 101])
    func `an invalid threshold is rejected`(threshold: Double) throws {
        let detector = try FaceDetectorModel.dlib.makeDetector()
        #expect(throws: DetectionError.self) {
            try LumaTestImage(width: 100, height: 100).detections(by: detector, threshold: threshold)
        }
    }

    @Test(arguments: [(0, 10, 10), (10, 0, 10), (-1, 5, 5), (40_000, 1, 40_000), (10, 10, 9)])
    func `an image that has no pixels, is too large or has overlapping rows is rejected`(
        width: Int,
        height: Int,
        bytesPerRow: Int
    ) throws {
        let detector = try FaceDetectorModel.dlib.makeDetector()
        var image = LumaTestImage(width: 10, height: 10)
        image.size = PixelSize(width: width, height: height)
        image.bytesPerRow = bytesPerRow
        #expect(throws: DetectionError.invalidImage) { try image.detections(by: detector) }
    }

    @Test func `detectors on different threads do not affect each other`() async throws {
        let model = try FaceDetectorModel.dlib
        let images = [80, 100, 130, 170].map { LumaTestImage(faceOfSide: $0) }
        let expected = try images.map { try $0.detections(by: model.makeDetector()) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                group.addTask {
                    let detector = try model.makeDetector()
                    for turn in 0..<8 {
                        let index = (turn + worker) % images.count
                        #expect(try images[index].detections(by: detector) == expected[index])
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
