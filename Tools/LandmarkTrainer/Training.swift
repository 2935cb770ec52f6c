import CLandmarkTrainer
import CLandmarks
import Foundation
import Geometry

/// Trains a table of weights.
enum Training {
    struct Failure: Error {
        let message: String
    }

    /// Trained with these, cross-validation gives the smallest error; no other was better by 0.001 (docs/landmarks.md).
    private static let settings = hr_trainer_settings(
        variants: 8,
        stages: (
            hr_trainer_stage(size: 0.2, turn: 0.16, scale: 0.06, shift: 0.12, ridge: 100),
            hr_trainer_stage(size: 0.27, turn: 0.08, scale: 0.06, shift: 0.11, ridge: 80),
            hr_trainer_stage(size: 0.32, turn: 0.04, scale: 0.03, shift: 0.05, ridge: 80)
        ),
        seed: 1
    )

    /// The table of weights trained on `faces`.
    static func table(_ faces: [MarkedFace]) throws -> [UInt8] {
        // One block of memory holds the pixels of all faces while the trainer reads them.
        let pixels = faces.flatMap(\.pixels)
        let length = Int(HR_TRAINER_SIDE) * Int(HR_TRAINER_SIDE)
        var settings = settings
        var table: UnsafeMutablePointer<UInt8>?
        var count = 0
        var message = [CChar](repeating: 0, count: 256)
        let isTrained = pixels.withUnsafeBufferPointer { pixels in
            guard let first = pixels.baseAddress else { return Int32(0) }
            let marked = faces.indices.map { index in
                var face = hr_trainer_face(
                    pixels: first + index * length,
                    points: hr_landmarks().points,
                    pose: faces[index].pose
                )
                withUnsafeMutableBytes(of: &face.points) { bytes in
                    let points = bytes.bindMemory(to: hr_landmarks_point.self)
                    for (place, point) in faces[index].points.enumerated() {
                        points[place] = hr_landmarks_point(x: point.x, y: point.y)
                    }
                }
                return face
            }
            return hr_trainer_run(marked, marked.count, &settings, &table, &count, &message, message.count)
        }
        guard isTrained == 1, let table else {
            throw Failure(message: String(decoding: message.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self))
        }
        defer { free(table) }
        return Array(UnsafeBufferPointer(start: table, count: count))
    }
}
