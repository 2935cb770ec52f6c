import CLandmarks
import FaceDetection
import Foundation
import Geometry
import TestPacing
import Testing

/// Landmarks whose search starts at the network's landmarks.
@Suite(.limitedConcurrency) struct NearLandmarkTests {
    /// The landmarks of a drawn face, in fractions of its side.
    private static let drawn = [(0.3, 0.28), (0.7, 0.28), (0.5, 0.545), (0.3, 0.77), (0.7, 0.77)]

    private static func marks(side: Int) -> [PixelPoint] {
        drawn.map { PixelPoint(x: (0.5 + $0.0) * Double(side), y: (0.5 + $0.1) * Double(side)) }
    }

    /// The drawn landmarks, rotated around their centre, scaled and moved.
    private static func rough(_ marks: [PixelPoint], turn: Double, scale: Double, by: Double) -> FaceLandmarks {
        let middle = PixelPoint(x: marks.map(\.x).reduce(0, +) / 5, y: marks.map(\.y).reduce(0, +) / 5)
        let (cosine, sine) = (scale * cos(turn * .pi / 180), scale * sin(turn * .pi / 180))
        return FaceLandmarks(
            marks.map { mark in
                let (x, y) = (mark.x - middle.x, mark.y - middle.y)
                return PixelPoint(x: middle.x + cosine * x - sine * y + by, y: middle.y + sine * x + cosine * y + by)
            }
        )
    }

    @Test(arguments: [(80, 0.0, 1.0, 0.0), (160, 12, 1, 0.03), (160, -12, 1.1, 0), (300, 6, 0.92, -0.03)])
    func `landmarks near a drawn face move to the drawn positions`(
        side: Int,
        turn: Double,
        scale: Double,
        by: Double
    ) throws {
        let marks = Self.marks(side: side)
        let rough = Self.rough(marks, turn: turn, scale: scale, by: by * Double(side))
        let model = try LandmarkModel.near.get()
        let found = try #require(
            try LumaTestImage(faceOfSide: side).withLuma { try model.landmarks(near: rough, in: $0) }
        )
        for (point, mark) in zip(found.points, marks) {
            #expect(hypot(point.x - mark.x, point.y - mark.y) < 0.2 * 0.4 * Double(side))
        }
        #expect(abs(found.roll) < 5)
        #expect((0...1).contains(found.confidence))
    }

    @Test func `landmarks at a single position or far away yield no result`() throws {
        let image = LumaTestImage(noiseOfWidth: 90, height: 70, seed: 5)
        let model = try LandmarkModel.near.get()
        let apart = Self.marks(side: 40)
        let rough: [[PixelPoint]] = [
            Array(repeating: PixelPoint(x: 20, y: 20), count: 5),
            apart.map { PixelPoint(x: $0.x * 1e6, y: $0.y * 1e6) },
            apart.map { PixelPoint(x: $0.x, y: .nan) },
            apart.map { PixelPoint(x: .infinity, y: $0.y) },
            apart.map { PixelPoint(x: $0.x * 50, y: $0.y * 50) },
        ]
        for points in rough {
            #expect(try image.withLuma { try model.landmarks(near: FaceLandmarks(points), in: $0) } == nil)
        }
    }

    @Test func `landmarks beyond every edge yield finite landmarks`() throws {
        let image = LumaTestImage(noiseOfWidth: 90, height: 70, seed: 5)
        let model = try LandmarkModel.near.get()
        for x in stride(from: -300.0, through: 300, by: 60) {
            for (y, side) in [(-200.0, 60), (0, 4), (35, 80), (60, 33)] {
                let points = Self.marks(side: side).map { PixelPoint(x: $0.x + x, y: $0.y + y) }
                let landmarks = try image.withLuma { try model.landmarks(near: FaceLandmarks(points), in: $0) }
                let found = try #require(landmarks)
                #expect(found.points.allSatisfy { $0.x.isFinite && $0.y.isFinite })
                #expect((0...1).contains(found.confidence))
            }
        }
    }

    @Test func `each reason for uncertainty lowers the confidence`() throws {
        let marks = Self.marks(side: 100)
        func confidence(lastStep: Double = 0.005, turn: Double = 2) -> Double {
            let rough = Self.rough(marks, turn: turn, scale: 1, by: 0)
            return LandmarkDoubt(FaceLandmarks(marks), near: rough, lastStep: lastStep).confidence
        }
        #expect(confidence() > FaceLandmarks.minConfidence)
        #expect(confidence(lastStep: 0.05) < FaceLandmarks.minConfidence)
        #expect(confidence(turn: 45) < confidence())
        #expect((0...1).contains(confidence(lastStep: 1e9)) && confidence(lastStep: .nan) == 0)
    }

    @Test func `a table for another kind of start is rejected`() throws {
        var (count, nearCount) = (0, 0)
        let (boxed, near) = (hr_landmarks_weights(&count), hr_landmarks_near_weights(&nearCount))
        var (boxedModel, nearModel): (OpaquePointer?, OpaquePointer?)
        #expect(hr_landmarks_model_make(boxed, count, &boxedModel) == HR_LANDMARKS_OK)
        #expect(hr_landmarks_model_make(near, nearCount, &nearModel) == HR_LANDMARKS_OK)
        defer {
            hr_landmarks_model_free(boxedModel)
            hr_landmarks_model_free(nearModel)
        }
        let pixels = [UInt8](repeating: 0, count: 100)
        let points = Self.marks(side: 5).map { hr_landmarks_point(x: $0.x, y: $0.y) }
        var found = hr_landmarks()
        #expect(
            hr_landmarks_find_near(try #require(boxedModel), pixels, 10, 10, 10, points, &found)
                == HR_LANDMARKS_INVALID_WEIGHTS
        )
        #expect(
            hr_landmarks_find(try #require(nearModel), pixels, 10, 10, 10, 5, 5, 4, 0, &found)
                == HR_LANDMARKS_INVALID_WEIGHTS
        )
    }

    @Test func `a truncated or changed table is rejected`() throws {
        var count = 0
        let weights = hr_landmarks_near_weights(&count)
        let whole = Array(UnsafeBufferPointer(start: weights, count: count))
        var tables = stride(from: 0, to: count, by: 9973).map { Array(whole.prefix($0)) }
        tables.append(whole + [0])
        // The magic number, the version, the weights of the start, the mean face, and the first stage's size, start and
        // unit; the last number is a weight for the network's landmarks.
        for place in [0, 4, 8, 1128, 1208, 1212, 1292, count - 4] {
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
}
