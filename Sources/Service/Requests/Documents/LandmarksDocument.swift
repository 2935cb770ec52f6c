import FaceDetection
import Geometry

/// The landmarks of a face in a plan, in tenths of pixels.
struct LandmarksDocument: Encodable {
    let leftEye, rightEye, nose, mouthLeft, mouthRight: PixelPoint
    /// The probability that the points are more than a guess, in hundredths.
    let confidence: Double
    /// The names of points that the turned head hides, which are guesses; absent if there are none.
    let hidden: [String]?

    init(_ landmarks: FaceLandmarks) {
        let rounded = landmarks.mapped { point in
            PixelPoint(x: PlanDocument.rounded(point.x, to: 10), y: PlanDocument.rounded(point.y, to: 10))
        }
        (leftEye, rightEye, nose) = (rounded.leftEye, rounded.rightEye, rounded.nose)
        (mouthLeft, mouthRight) = (rounded.mouthLeft, rounded.mouthRight)
        confidence = PlanDocument.rounded(landmarks.confidence, to: 100)
        hidden = landmarks.hiddenEye.map { [$0 == .left ? "leftEye" : "rightEye"] }
    }
}
