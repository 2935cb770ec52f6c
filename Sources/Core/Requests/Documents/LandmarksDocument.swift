import FaceDetection
import Geometry

/// The landmarks of a face in a plan, in tenths of pixels.
struct LandmarksDocument: Encodable {
    let leftEye, rightEye, nose, mouthLeft, mouthRight: PixelPoint
    /// The confidence of the landmarks, in hundredths.
    ///
    /// A low value means that the landmarks are only guesses.
    let confidence: Double
    /// The names of landmarks that are hidden because the head is turned, so that their positions are guesses; absent
    /// if no landmark is hidden.
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
