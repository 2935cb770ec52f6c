import CLandmarkTrainer
import CLandmarks
import FaceDetection
import Foundation
import Geometry

/// Cross-validation: the error on faces of images that were not used in training.
struct Validation {
    let folds: Int

    /// A tested face.
    private struct Outcome {
        let error: Double
        let roll: Double
        let lastStep: Double
        var reasons: [Double] = []
        var isConfirmed = true

        init(_ points: [PixelPoint], lastStep: Double, marks: [PixelPoint]) {
            let apart = distance(marks[0], marks[1])
            error = (0..<5).reduce(0) { $0 + distance(points[$1], marks[$1]) } / 5 / apart
            roll = abs(remainder(Validation.roll(points) - Validation.roll(marks), 360))
            self.lastStep = lastStep
        }
    }

    /// Trains and tests each fold for HOG's boxes, and prints the errors of all folds.
    func run(_ faces: [MarkedFace]) throws {
        print("HOG's boxes")
        var outcomes = try crossValidated(faces, file: \.file, train: Training.table) { face, model in
            let middle = Double(HR_TRAINER_SIDE) / 2
            let (points, lastStep) = try found { found in
                let side = Int(HR_TRAINER_SIDE)
                let box = Double(HR_TRAINER_BOX)
                return hr_landmarks_find(
                    model,
                    face.pixels,
                    side,
                    side,
                    side,
                    middle,
                    middle,
                    box,
                    face.pose,
                    &found
                )
            }
            return Outcome(points, lastStep: lastStep, marks: face.points)
        }
        report(outcomes)
        outcomes.sort { $0.lastStep < $1.lastStep }
        let minimum = outcomes.count * 19 / 20
        let (sure, guessed) = (outcomes[..<minimum].map(\.error), outcomes[minimum...].map(\.error))
        print(
            "last step: 95th percentile \(rounded(outcomes[minimum].lastStep)), mean error below "
                + "\(rounded(mean(sure))), above \(rounded(mean(guessed)))"
        )
    }

    /// Trains and tests each fold for the network's points.
    ///
    /// Prints the errors of all folds and the weights of ``LandmarkDoubt``.
    func run(_ faces: [NearFace]) throws {
        print("the network's points")
        let outcomes = try crossValidated(faces, file: \.face.file, train: Training.table) { near, model in
            let rough = near.starts[0].rough
            let start = rough.map { hr_landmarks_point(x: $0.x, y: $0.y) }
            let side = Int(HR_TRAINER_SIDE)
            let (points, lastStep) = try found { found in
                hr_landmarks_find_near(model, near.face.pixels, side, side, side, start, &found)
            }
            var outcome = Outcome(points, lastStep: lastStep, marks: near.face.points)
            outcome.reasons =
                LandmarkDoubt(FaceLandmarks(points), near: FaceLandmarks(rough), lastStep: lastStep).reasons
            outcome.isConfirmed = near.isConfirmed
            return outcome
        }
        report(outcomes)
        print("found by both")
        report(outcomes.filter(\.isConfirmed))
        print("found by the network alone")
        report(outcomes.filter { !$0.isConfirmed })
        fitDoubt(outcomes)
    }

    private func crossValidated<Face>(
        _ faces: [Face],
        file: (Face) -> String,
        train: ([Face]) throws -> [UInt8],
        test: (Face, OpaquePointer) throws -> Outcome
    ) throws -> [Outcome] {
        var outcomes: [Outcome] = []
        for fold in 0..<folds {
            let tested = faces.filter { self.fold(of: file($0)) == fold }
            let table = try train(faces.filter { self.fold(of: file($0)) != fold })
            var model: OpaquePointer?
            guard hr_landmarks_model_make(table, table.count, &model) == HR_LANDMARKS_OK, let model else {
                throw Training.Failure(message: "the table cannot be read")
            }
            defer { hr_landmarks_model_free(model) }
            try withExtendedLifetime(table) {
                for face in tested { outcomes.append(try test(face, model)) }
            }
            let errors = outcomes.suffix(tested.count).map(\.error)
            print("fold \(fold + 1): \(tested.count) faces, mean error \(rounded(mean(errors)))")
        }
        return outcomes
    }

    private func report(_ outcomes: [Outcome]) {
        guard !outcomes.isEmpty else { return }
        let (errors, rolls) = (outcomes.map(\.error).sorted(), outcomes.map(\.roll).sorted())
        let failed = Double(errors.count { $0 > 0.1 }) / Double(errors.count)
        print(
            "\(errors.count) faces: mean \(rounded(mean(errors))), median \(rounded(errors[errors.count / 2])), "
                + "above 0.1: \(rounded(failed)), roll: median \(rounded(rolls[rolls.count / 2]))°, "
                + "90th percentile \(rounded(rolls[rolls.count * 9 / 10]))°"
        )
    }

    /// Prints the most likely weights of the reasons for uncertainty, and the fraction of correct points by confidence.
    private func fitDoubt(_ outcomes: [Outcome]) {
        guard var weights = outcomes.first?.reasons.map({ _ in 0.0 }) else { return }
        for _ in 0..<20_000 {
            var slope = weights.map { -0.02 * $0 }
            for outcome in outcomes {
                let confidence = LandmarkDoubt.confidence(outcome.reasons, weights)
                let sum = zip(outcome.reasons, weights).reduce(0) { $0 + $1.0 * $1.1 }
                let share = 0.5 * pow(1 + sum * sum, -1.5)
                let step = outcome.error < 0.1 ? share / confidence : -share / (1 - confidence)
                for place in slope.indices { slope[place] += step * outcome.reasons[place] }
            }
            for place in slope.indices { weights[place] += slope[place] * 2 / Double(outcomes.count) }
        }
        print("weights of the doubt: \(weights.map { ($0 * 1000).rounded() / 1000 })")
        for tenth in 0..<10 {
            let part = outcomes.filter {
                min(9, Int(LandmarkDoubt.confidence($0.reasons, weights) * 10)) == tenth
            }
            guard !part.isEmpty else { continue }
            let right = Double(part.count { $0.error < 0.1 }) / Double(part.count)
            print("confidence from \(Double(tenth) / 10): \(part.count) faces, right \(rounded(right))")
        }
        let sure = outcomes.filter { LandmarkDoubt.confidence($0.reasons, weights) >= FaceLandmarks.minConfidence }
        print("not doubtful")
        report(sure)
    }

    /// Returns a hash of the image's name, which is the same in each run (FNV-1a).
    private func fold(of file: String) -> Int {
        let hash = file.utf8.reduce(UInt64(14_695_981_039_346_656_037)) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
        return Int(hash >> 8 & 0xFFFF) % folds
    }

    private func found(
        _ find: (inout hr_landmarks) -> hr_landmarks_status
    ) throws -> (points: [PixelPoint], lastStep: Double) {
        var found = hr_landmarks()
        let status = find(&found)
        guard status == HR_LANDMARKS_OK else { throw Training.Failure(message: "no landmarks: \(status.rawValue)") }
        let points = withUnsafeBytes(of: found.points) { bytes in
            bytes.bindMemory(to: hr_landmarks_point.self).map { PixelPoint(x: $0.x, y: $0.y) }
        }
        return (points, found.last_step)
    }

    fileprivate static func roll(_ points: [PixelPoint]) -> Double {
        atan2(points[1].y - points[0].y, points[1].x - points[0].x) * 180 / .pi
    }

    private func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(max(1, values.count)) }

    private func rounded(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }
}

private func distance(_ one: PixelPoint, _ other: PixelPoint) -> Double { hypot(one.x - other.x, one.y - other.y) }
