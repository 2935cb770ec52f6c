import FaceDetection
import Geometry

/// The eyes, the nose and the mouth of a face in JSON, in pixels of the upright image.
struct LandmarksDocument: Encodable {
    struct Point: Encodable {
        var x: Double
        var y: Double

        init(_ point: PixelPoint) {
            x = (point.x * 10).rounded() / 10
            y = (point.y * 10).rounded() / 10
        }
    }

    var leftEye: Point
    var rightEye: Point
    var nose: Point
    var mouthLeft: Point
    var mouthRight: Point
    /// From 0 to 1; below 0.5 the points are a guess.
    var confidence: Double

    init(_ landmarks: FaceLandmarks) {
        leftEye = Point(landmarks.leftEye)
        rightEye = Point(landmarks.rightEye)
        nose = Point(landmarks.nose)
        mouthLeft = Point(landmarks.mouthLeft)
        mouthRight = Point(landmarks.mouthRight)
        confidence = (landmarks.confidence * 100).rounded() / 100
    }
}
