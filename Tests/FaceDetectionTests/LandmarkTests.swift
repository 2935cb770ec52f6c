import CLandmarks
import FaceDetection
import Foundation
import Geometry
import Imaging
import TestPacing
import Testing

@Suite("Landmarks", .limitedConcurrency)
struct LandmarkTests {
    /// The eyes, the nose and the mouth of a drawn face, in fractions of its side.
    private static let drawn = [(0.3, 0.28), (0.7, 0.28), (0.5, 0.545), (0.3, 0.77), (0.7, 0.77)]

    @Test(arguments: [80, 97, 140, 233, 400])
    func `drawn faces have their eyes, nose and mouth at the drawn positions`(side: Int) throws {
        let image = LumaTestImage(faceOfSide: side)
        let landmarks = try #require(try landmarks(in: image))
        let margin = Double(side / 2)
        let apart = 0.4 * Double(side)
        for (found, drawn) in zip(landmarks.points, Self.drawn) {
            let x = margin + drawn.0 * Double(side), y = margin + drawn.1 * Double(side)
            #expect(hypot(found.x - x, found.y - y) < 0.2 * apart)
        }
        #expect(abs(landmarks.roll) < 3)
    }

    @Test(arguments: [-25.0, -12, 7, 18, 25])
    func `the roll of a rotated face equals its rotation`(degrees: Double) throws {
        let landmarks = try #require(try landmarks(in: LumaTestImage(faceOfSide: 200).turned(by: degrees)))
        #expect(abs(landmarks.roll - degrees) < 5)
    }

    @Test func `a mirrored image has mirrored landmarks`() throws {
        let image = LumaTestImage(faceOfSide: 160).turned(by: 9)
        let landmarks = try #require(try landmarks(in: image))
        let mirrored = try #require(try self.landmarks(in: image.mirrored()))
        let width = Double(image.size.width)
        for (left, right) in [(0, 1), (1, 0), (2, 2), (3, 4), (4, 3)] {
            let (found, other) = (landmarks.points[left], mirrored.points[right])
            #expect(hypot(found.x - (width - other.x), found.y - other.y) < 8)
        }
    }

    @Test func `boxes that cross every edge have finite landmarks`() throws {
        let source = LumaTestImage(noiseOfWidth: 90, height: 70, seed: 5)
        let model = try LandmarkModel.standard.get()
        for x in stride(from: -300, through: 300, by: 60) {
            for (y, side) in [(-200, 80), (0, 1), (35, 300), (60, 33)] {
                for pose in Pose.allCases {
                    let box = PixelRect(x: x, y: y, width: side, height: side)
                    let landmarks = try source.withLuma { image in
                        try model.landmarks(of: Detection(box: box, confidence: 1, pose: pose), in: image)
                    }
                    let points = try #require(landmarks).points
                    #expect(points.allSatisfy { $0.x.isFinite && $0.y.isFinite })
                }
            }
        }
    }

    @Test func `a detection from another detector has no landmarks`() throws {
        let image = LumaTestImage(faceOfSide: 100)
        let detection = Detection(box: PixelRect(x: 50, y: 50, width: 100, height: 100), confidence: 1)
        #expect(try image.withLuma { try LandmarkModel.standard.get().landmarks(of: detection, in: $0) } == nil)
    }

    @Test(arguments: [(0, 0), (-1, 0), (.nan, 0), (1e9, 0), (100, 5)] as [(Double, UInt32)])
    func `a box without a size or with an unknown pose is rejected`(side: Double, pose: UInt32) throws {
        var count = 0
        let weights = hr_landmarks_weights(&count)
        var model: OpaquePointer?
        #expect(hr_landmarks_model_make(weights, count, &model) == HR_LANDMARKS_OK)
        defer { hr_landmarks_model_free(model) }
        var found = hr_landmarks()
        let pixels = [UInt8](repeating: 0, count: 100)
        #expect(
            hr_landmarks_find(try #require(model), pixels, 10, 10, 10, 5, 5, side, pose, &found)
                == HR_LANDMARKS_INVALID_BOX
        )
    }

    @Test func `a truncated or changed table is rejected`() throws {
        var count = 0
        let weights = hr_landmarks_weights(&count)
        let whole = Array(UnsafeBufferPointer(start: weights, count: count))
        var tables = stride(from: 0, to: count, by: 9973).map { Array(whole.prefix($0)) }
        tables.append(whole + [0])
        // The magic number, the version, the offsets of a pose, the mean face, and the first stage's size, start and
        // unit.
        for place in [0, 4, 8, 408, 488, 492, 572] {
            var table = whole
            table.replaceSubrange(place..<place + 4, with: [0, 0, 0xC0, 0x7F])
            tables.append(table)
        }
        for table in tables {
            var model: OpaquePointer?
            #expect(hr_landmarks_model_make(table, table.count, &model) == HR_LANDMARKS_INVALID_WEIGHTS)
            #expect(model == nil)
        }
    }

    private func landmarks(in source: LumaTestImage) throws -> FaceLandmarks? {
        var detector = try FaceDetectorModel.hog.makeDetector()
        return try source.withLuma { image in
            let face = try #require(try detector.detect(in: image, threshold: 0).first)
            return try LandmarkModel.standard.get().landmarks(of: face, in: image)
        }
    }
}

extension LumaTestImage {
    /// The image rotated clockwise around its centre; pixels outside have the value of its first pixel.
    fileprivate func turned(by degrees: Double) -> LumaTestImage {
        var turned = self
        let (cosine, sine) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
        let (middleX, middleY) = (Double(size.width) / 2, Double(size.height) / 2)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let (across, down) = (Double(x) + 0.5 - middleX, Double(y) + 0.5 - middleY)
                let fromX = Int((middleX + cosine * across + sine * down).rounded(.down))
                let fromY = Int((middleY - sine * across + cosine * down).rounded(.down))
                let isInside = (0..<size.width).contains(fromX) && (0..<size.height).contains(fromY)
                turned.bytes[y * bytesPerRow + x] = isInside ? bytes[fromY * bytesPerRow + fromX] : bytes[0]
            }
        }
        return turned
    }

    fileprivate func mirrored() -> LumaTestImage {
        var mirrored = self
        for y in 0..<size.height {
            for x in 0..<size.width {
                mirrored.bytes[y * bytesPerRow + x] = bytes[y * bytesPerRow + size.width - 1 - x]
            }
        }
        return mirrored
    }
}
