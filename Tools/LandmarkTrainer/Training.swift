import CLandmarkTrainer
import CLandmarks
import Foundation
import Geometry

/// Trains a table of weights.
enum Training {
    struct Failure: Error {
        let message: String
    }

    /// The parameters with the minimum error in cross-validation.
    ///
    /// No other parameters reduced the error by 0.001 (docs/contributing/landmark-training.md).
    private static let settings = hr_trainer_settings(
        variants: 8,
        stages: (
            hr_trainer_stage(size: 0.2, turn: 0.16, scale: 0.06, shift: 0.12, ridge: 100, tail: 1),
            hr_trainer_stage(size: 0.27, turn: 0.08, scale: 0.06, shift: 0.11, ridge: 80, tail: 1),
            hr_trainer_stage(size: 0.32, turn: 0.04, scale: 0.03, shift: 0.05, ridge: 80, tail: 1)
        ),
        seed: 1
    )

    /// The parameters for the network's points, which are further from the marks than the mean face in HOG's boxes.
    private static let nearSettings = hr_trainer_settings(
        variants: 6,
        stages: (
            hr_trainer_stage(size: 0.2, turn: 0.12, scale: 0.07, shift: 0.1, ridge: 100, tail: 2),
            hr_trainer_stage(size: 0.32, turn: 0.1, scale: 0.06, shift: 0.1, ridge: 60, tail: 1.5),
            hr_trainer_stage(size: 0.4, turn: 0.03, scale: 0.03, shift: 0.04, ridge: 60, tail: 1)
        ),
        seed: 1
    )

    /// Returns the weight table for HOG's boxes, trained on `faces`.
    static func table(_ faces: [MarkedFace]) throws -> [UInt8] {
        try trained(faces, settings, hr_trainer_run) { face, pixels in
            var marked = hr_trainer_face(pixels: pixels, points: hr_landmarks().points, pose: face.pose)
            copy(face.points, to: &marked.points)
            return marked
        }
    }

    /// Returns the weight table for the network's points, trained on `faces`.
    static func table(_ faces: [NearFace]) throws -> [UInt8] {
        try trained(faces, nearSettings, hr_trainer_run_near) { near, pixels in
            var marked = hr_trainer_near_face(
                pixels: pixels,
                points: hr_landmarks().points,
                starts: hr_trainer_starts()
            )
            copy(near.face.points, to: &marked.points)
            marked.starts.count = UInt32(near.starts.count)
            withUnsafeMutableBytes(of: &marked.starts.all) { bytes in
                let starts = bytes.bindMemory(to: hr_trainer_start.self)
                for (place, start) in near.starts.enumerated() {
                    copy(start.rough, to: &starts[place].rough)
                    starts[place].turn = start.turn
                }
            }
            return marked
        }
    }

    private typealias Run<Marked> = (
        UnsafePointer<Marked>, Int, UnsafePointer<hr_trainer_settings>,
        UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
        UnsafeMutablePointer<Int>, UnsafeMutablePointer<CChar>, Int
    ) -> Int32

    private static func trained<One: FaceWithImage, Marked>(
        _ faces: [One],
        _ settings: hr_trainer_settings,
        _ run: Run<Marked>,
        _ marked: (One, UnsafePointer<UInt8>) -> Marked
    ) throws -> [UInt8] {
        // One block of memory contains the pixels of all faces while the trainer reads them.
        let pixels = faces.flatMap(\.pixels)
        let length = Int(HR_TRAINER_SIDE) * Int(HR_TRAINER_SIDE)
        var settings = settings
        var table: UnsafeMutablePointer<UInt8>?
        var count = 0
        var message = [CChar](repeating: 0, count: 256)
        let isTrained = pixels.withUnsafeBufferPointer { pixels in
            guard let first = pixels.baseAddress else { return Int32(0) }
            let all = faces.indices.map { marked(faces[$0], first + $0 * length) }
            return run(all, all.count, &settings, &table, &count, &message, message.count)
        }
        guard isTrained == 1, let table else {
            throw Failure(message: String(decoding: message.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self))
        }
        defer { free(table) }
        return Array(UnsafeBufferPointer(start: table, count: count))
    }

    /// Copies points into a C array.
    private static func copy<Places>(_ points: [PixelPoint], to array: inout Places) {
        withUnsafeMutableBytes(of: &array) { bytes in
            let places = bytes.bindMemory(to: hr_landmarks_point.self)
            for (place, point) in points.enumerated() {
                places[place] = hr_landmarks_point(x: point.x, y: point.y)
            }
        }
    }
}

/// A face with the image around it, in the form for the trainer.
protocol FaceWithImage {
    var pixels: [UInt8] { get }
}

extension MarkedFace: FaceWithImage {}

extension NearFace: FaceWithImage {
    var pixels: [UInt8] { face.pixels }
}
