import CLandmarkTrainer
import CLandmarks
import Foundation
import Geometry

/// Cross-validation: the error on faces of pictures that were not used in training.
struct Validation {
    let faces: [MarkedFace]
    let folds: Int

    /// Trains and tests each fold, and prints the errors of all.
    func run() throws {
        var errors: [Double] = []
        var rolls: [Double] = []
        var steps: [(length: Double, error: Double)] = []
        for fold in 0..<folds {
            let tested = faces.filter { self.fold(of: $0) == fold }
            let table = try Training.table(faces.filter { self.fold(of: $0) != fold })
            var model: OpaquePointer?
            guard hr_landmarks_model_make(table, table.count, &model) == HR_LANDMARKS_OK, let model else {
                throw Training.Failure(message: "the table cannot be read")
            }
            defer { hr_landmarks_model_free(model) }
            try withExtendedLifetime(table) {
                for face in tested {
                    let (points, lastStep) = try found(face, model)
                    let apart = distance(face.points[0], face.points[1])
                    let sum = (0..<5).reduce(0) { $0 + distance(points[$1], face.points[$1]) }
                    errors.append(sum / 5 / apart)
                    rolls.append(abs(remainder(roll(points) - roll(face.points), 360)))
                    steps.append((lastStep, sum / 5 / apart))
                }
            }
            print("fold \(fold + 1): \(tested.count) faces, mean error \(rounded(mean(errors.suffix(tested.count))))")
        }
        errors.sort()
        rolls.sort()
        let failed = Double(errors.count { $0 > 0.1 }) / Double(errors.count)
        print(
            "mean \(rounded(mean(errors[...]))), median \(rounded(errors[errors.count / 2])), above 0.1: \(rounded(failed))"
        )
        print(
            "roll: median \(rounded(rolls[rolls.count / 2]))°, 90th percentile \(rounded(rolls[rolls.count * 9 / 10]))°"
        )
        steps.sort { $0.length < $1.length }
        let least = steps.count * 19 / 20
        let (sure, guessed) = (steps[..<least].map(\.error), steps[least...].map(\.error))
        print(
            "last step: 95th percentile \(rounded(steps[least].length)), mean error below \(rounded(mean(sure[...]))), "
                + "above \(rounded(mean(guessed[...])))"
        )
    }

    /// A hash of the picture's name, which is the same in each run (FNV-1a).
    private func fold(of face: MarkedFace) -> Int {
        let hash = face.file.utf8.reduce(UInt64(14_695_981_039_346_656_037)) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
        return Int(hash >> 8 & 0xFFFF) % folds
    }

    private func found(
        _ face: MarkedFace,
        _ model: OpaquePointer
    ) throws -> (points: [PixelPoint], lastStep: Double) {
        let side = Int(HR_TRAINER_SIDE)
        let middle = Double(side) / 2
        var found = hr_landmarks()
        let status = hr_landmarks_find(
            model,
            face.pixels,
            side,
            side,
            side,
            middle,
            middle,
            Double(HR_TRAINER_BOX),
            face.pose,
            &found
        )
        guard status == HR_LANDMARKS_OK else { throw Training.Failure(message: "no landmarks: \(status.rawValue)") }
        let points = withUnsafeBytes(of: found.points) { bytes in
            bytes.bindMemory(to: hr_landmarks_point.self).map { PixelPoint(x: $0.x, y: $0.y) }
        }
        return (points, found.last_step)
    }

    private func distance(_ one: PixelPoint, _ other: PixelPoint) -> Double { hypot(one.x - other.x, one.y - other.y) }

    private func roll(_ points: [PixelPoint]) -> Double {
        atan2(points[1].y - points[0].y, points[1].x - points[0].x) * 180 / .pi
    }

    private func mean(_ values: ArraySlice<Double>) -> Double { values.reduce(0, +) / Double(max(1, values.count)) }

    private func rounded(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }
}
