import Geometry

/// The reasons why landmarks near the network's landmarks are uncertain.
package struct LandmarkDoubt {
    /// The length of the last step and the distance from the network's points, both limited to 0…1, and a constant 1.
    package let reasons: [Double]

    /// The weights of the reasons, estimated by maximum likelihood on faces outside the training set (`make landmarks
    /// FOLDS=5`).
    private static let weights = [-9.72, -3.881, 6.645]

    /// - Parameters:
    ///   - landmarks: The result.
    ///   - rough: The network's landmarks.
    ///   - lastStep: The distance that the last step moved the points, in eye distances.
    package init(_ landmarks: FaceLandmarks, near rough: FaceLandmarks, lastStep: Double) {
        let (left, right) = (landmarks.leftEye, landmarks.rightEye)
        let (across, down) = (right.x - left.x, right.y - left.y)
        let eyes = max((across * across + down * down).squareRoot(), 1e-6)
        let apart = zip(landmarks.points, rough.points).reduce(0.0) { sum, pair in
            let (x, y) = (pair.0.x - pair.1.x, pair.0.y - pair.1.y)
            return sum + (x * x + y * y).squareRoot() / 5 / eyes
        }
        reasons = [lastStep / (lastStep + 0.02), apart / (apart + 0.2), 1]
    }

    /// The probability that the mean error of the points is below a tenth of the eye distance.
    package var confidence: Double { Self.confidence(reasons, Self.weights) }

    /// Returns the probability with other weights.
    ///
    /// The curve is S-shaped between 0 and 1. It uses no function of the C library, because their rounding depends on
    /// the processor.
    package static func confidence(_ reasons: [Double], _ weights: [Double]) -> Double {
        let sum = zip(reasons, weights).reduce(0.0) { $0 + $1.0 * $1.1 }
        guard sum.isFinite else { return 0 }
        return min(1, max(0, 0.5 + 0.5 * sum / (1 + sum * sum).squareRoot()))
    }
}
