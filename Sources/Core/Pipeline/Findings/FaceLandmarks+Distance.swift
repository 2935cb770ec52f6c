package import FaceDetection
import Geometry

extension FaceLandmarks {
    /// Whether the mean distance to the other landmarks is at most a quarter of the eye distance.
    package func isNear(_ other: FaceLandmarks) -> Bool {
        let sum = zip(points, other.points).reduce(0) { $0 + $1.0.distance(to: $1.1) }
        return sum / 5 <= 0.25 * other.leftEye.distance(to: other.rightEye)
    }
}
