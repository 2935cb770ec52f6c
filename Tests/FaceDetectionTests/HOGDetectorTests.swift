import CDlibFixtures
import FaceDetection
import Foundation
import Geometry
import Imaging
import TestPacing
import Testing

/// The instruction sets that this machine supports.
let instructions = HOGDetector.Instructions.supported

@Suite("The fast detector", .limitedConcurrency)
struct HOGDetectorTests {
    @Test(arguments: instructions, [80, 93, 100, 118, 134, 161, 190, 233, 300])
    func `drawn faces yield dlib's detections`(_ instructions: HOGDetector.Instructions, side: Int) throws {
        let image = LumaTestImage(faceOfSide: side, background: UInt8(side / 2))
        let found = try expectSame(
            image,
            HOGDetector.frontal(with: instructions),
            FaceDetectorModel.dlib.makeDetector()
        )
        #expect(found > 0)
    }

    @Test(arguments: instructions, [(64, 64), (80, 80), (97, 301), (333, 64), (200, 150), (411, 277)])
    func `noise yields dlib's detections far below its threshold`(
        _ instructions: HOGDetector.Instructions,
        size: (Int, Int)
    ) throws {
        let image = LumaTestImage(noiseOfWidth: size.0, height: size.1, seed: UInt64(size.0))
        try expectSame(
            image,
            HOGDetector.frontal(with: instructions),
            FaceDetectorModel.dlib.makeDetector(),
            threshold: -2
        )
    }

    @Test(arguments: [(97, 301), (333, 64), (411, 277), (640, 480)])
    func `all instruction sets yield the same detections, with bit-identical scores`(size: (Int, Int)) throws {
        let image = LumaTestImage(noiseOfWidth: size.0, height: size.1, seed: UInt64(size.1))
        let expected = try image.detections(by: HOGDetector.frontal(with: .plain), threshold: -2)
        #expect(!expected.isEmpty)
        for instructions in instructions {
            let found = try image.detections(by: HOGDetector.frontal(with: instructions), threshold: -2)
            #expect(found == expected, "\(instructions)")
        }
    }

    @Test func `a low threshold on a large image yields dlib's detections`() throws {
        var image = LumaTestImage(noiseOfWidth: 700, height: 500, seed: 3)
        let faces = LumaTestImage(
            [DrawnFace(x: 60, y: 80, side: 150), DrawnFace(x: 400, y: 200, side: 190)],
            width: 700,
            height: 500
        )
        for i in image.bytes.indices {
            image.bytes[i] = UInt8((Int(image.bytes[i]) + 3 * Int(faces.bytes[i])) / 4)
        }
        let found = try expectSame(
            image,
            HOGDetector.frontal(with: .best),
            FaceDetectorModel.dlib.makeDetector(),
            threshold: -1
        )
        #expect(found >= 2)
    }

    @Test(arguments: [(1, 1), (2, 2), (1, 500), (500, 1), (7, 9), (19, 20), (20, 20), (24, 300), (79, 79), (8, 8)])
    func `images smaller than a face yield dlib's detections`(width: Int, height: Int) throws {
        let image = LumaTestImage(noiseOfWidth: width, height: height, seed: 1)
        for instructions in instructions {
            try expectSame(
                image,
                HOGDetector.frontal(with: instructions),
                FaceDetectorModel.dlib.makeDetector(),
                threshold: -2
            )
        }
    }

    @Test func `bytes between rows are ignored`() throws {
        let image = LumaTestImage(faceOfSide: 90)
        for instructions in instructions {
            let detector = try HOGDetector.frontal(with: instructions)
            let expected = try image.detections(by: detector)
            #expect(!expected.isEmpty)
            for (count, junk) in [(181, 0), (192, 255), (256, 77)] as [(Int, UInt8)] {
                #expect(try image.withBytesPerRow(count, junk: junk).detections(by: detector) == expected)
            }
        }
    }

    @Test func `a detector gives the same results if it is reused for larger and smaller images`() throws {
        let detector = try HOGDetector.frontal(with: .best)
        let image = LumaTestImage(faceOfSide: 120)
        let first = try image.detections(by: detector)
        for side in [300, 20, 90] { _ = try LumaTestImage(faceOfSide: side).detections(by: detector) }
        #expect(try image.detections(by: detector) == first)
    }

    @Test(arguments: [(80, 80, 0, 1), (64, 48, 1, 5), (40, 56, 0, 6), (24, 24, 2, 11), (88, 40, 1, 2)])
    func `other detectors yield dlib's detections for any window and number of filters`(
        width: Int,
        height: Int,
        padding: Int,
        filters: Int
    ) throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).svm")
        defer { try? FileManager.default.removeItem(at: url) }
        #expect(hr_fixture_save_random(url.path, Int32(width), Int32(height), Int32(padding), Int32(filters)))
        let dlib = try DlibDetector.file(url.path)
        var found = 0
        for instructions in instructions {
            let ours = try #require(try HOGDetector.file(url.path, with: instructions))
            for seed in 1...3 as ClosedRange<UInt64> {
                let image = LumaTestImage(noiseOfWidth: 150 + 23 * Int(seed), height: 130, seed: seed)
                found += try expectSame(image, ours, dlib)
            }
        }
        #expect(found > 0)
    }

    @Test func `faces below the requested size are skipped, and larger faces are still found`() throws {
        let faces = [DrawnFace(x: 60, y: 60, side: 90), DrawnFace(x: 330, y: 90, side: 220)]
        let image = LumaTestImage(faces, width: 720, height: 450)
        for instructions in instructions {
            let all = try image.detections(by: HOGDetector.frontal(with: instructions))
            let large = try image.detections(by: HOGDetector.frontal(with: instructions, smallestFace: 160))
            #expect(all.count == 2)
            #expect(large == all.filter { $0.box.width > 160 })
        }
    }

    @Test func `the smallest detectable side grows in steps of the pyramid`() throws {
        let sides = try [0, 80, 81, 96, 100, 160].map {
            try HOGDetector.frontal(with: .best, smallestFace: $0).smallestDetectableSide
        }
        #expect(sides == [80, 80, 96, 96, 115, 166])
    }

    @Test func `detectors on different threads do not affect each other`() async throws {
        let model = try FaceDetectorModel.hog
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

    @Test(arguments: [Double.nan, -.infinity, .infinity, -2.1, 101])
    func `an invalid threshold is rejected`(threshold: Double) throws {
        let detector = try HOGDetector.frontal(with: .best)
        #expect(throws: DetectionError.self) {
            try LumaTestImage(width: 100, height: 100).detections(by: detector, threshold: threshold)
        }
    }
}

/// Expects equal detections from both detectors, with scores within 1/1000, and returns their number.
@discardableResult
private func expectSame(
    _ image: LumaTestImage,
    _ ours: any FaceDetector,
    _ dlib: any FaceDetector,
    threshold: Double = -0.5,
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> Int {
    let found = try image.detections(by: ours, threshold: threshold)
    let expected = try image.detections(by: dlib, threshold: threshold)
    #expect(found.map(\.box) == expected.map(\.box), sourceLocation: sourceLocation)
    #expect(found.map(\.pose) == expected.map(\.pose), sourceLocation: sourceLocation)
    for (one, other) in zip(found, expected) {
        #expect(abs(one.confidence - other.confidence) < 1e-3, sourceLocation: sourceLocation)
    }
    return expected.count
}
