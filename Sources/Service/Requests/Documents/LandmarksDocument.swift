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
        let rounded = landmarks.mapped { PixelPoint(x: Self.rounded($0.x, to: 10), y: Self.rounded($0.y, to: 10)) }
        (leftEye, rightEye, nose) = (rounded.leftEye, rounded.rightEye, rounded.nose)
        (mouthLeft, mouthRight) = (rounded.mouthLeft, rounded.mouthRight)
        confidence = Self.rounded(landmarks.confidence, to: 100)
        hidden = landmarks.hiddenEye.map { [$0 == .left ? "leftEye" : "rightEye"] }
    }

    private static func rounded(_ number: Double, to steps: Double) -> Double { (number * steps).rounded() / steps }
}
