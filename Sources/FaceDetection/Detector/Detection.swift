public import Geometry
import Glibc

/// A detected object.
public struct Detection: Sendable, Hashable {
    /// The box in pixels of the detector's input image: origin at the top left.
    ///
    /// For dlib's faces the box reaches from brow to chin and from ear to ear. It may extend over the image's edges.
    public var box: PixelRect
    /// The detector's raw score above its own threshold: larger is more certain; the scale depends on the detector.
    ///
    /// With a threshold of 0 every score is 0 or more. dlib's faces rarely exceed 3.
    public var confidence: Double
    /// The pose of the head, if the detector provides it.
    public var pose: Pose?
    /// The mean of all windows that detected the object, if the detector provides it.
    public var consensus: Consensus?
    /// The landmarks in pixels of the detector's input image, if the detector provides them.
    package var landmarks: FaceLandmarks?
    /// The kind of detector that found the object.
    package var finder = Finder.detector

    package enum Finder: String, Codable, Sendable, Hashable {
        /// A ``FaceDetector``.
        case detector
        /// A ``FaceNetwork``, whose boxes reach from hairline to chin.
        case network
    }

    /// A detection at `box`, in pixels of the detector's input image.
    public init(box: PixelRect, confidence: Double, pose: Pose? = nil, consensus: Consensus? = nil) {
        self.box = box
        self.confidence = confidence
        self.pose = pose
        self.consensus = consensus
    }
}

/// The pose of a head; left and right as the viewer sees them.
public enum Pose: String, Codable, Sendable, Hashable, CaseIterable {
    /// Upright and facing the camera.
    case frontal
    /// Turned so that the nose points to the left edge of the picture.
    case left
    /// Turned so that the nose points to the right edge of the picture.
    case right
    /// Facing the camera, the top of the head tilted to the left by about 27 degrees.
    case rotatedLeft
    /// Facing the camera, the top of the head tilted to the right by about 27 degrees.
    case rotatedRight

    /// The five filters of dlib's frontal face detector, in the order that its header names them.
    package static let partsOfFrontalDetector: [Pose] = [.frontal, .left, .right, .rotatedLeft, .rotatedRight]
}

/// The eyes, the nose and the mouth of a face; left and right as the viewer sees them.
///
/// Points may lie outside the image, if the face reaches over its edge.
package struct FaceLandmarks: Codable, Sendable, Hashable {
    /// The centres of the eyes.
    package var leftEye, rightEye: PixelPoint
    /// The tip of the nose.
    package var nose: PixelPoint
    /// The corners of the mouth.
    package var mouthLeft, mouthRight: PixelPoint
    /// How sure the points are, from 0 to 1; below ``leastSure`` they are a guess.
    package var confidence: Double

    /// The least confidence of points that are more than a guess.
    package static let leastSure = 0.5

    /// Landmarks at five points in the order of the properties.
    init(_ points: [PixelPoint], confidence: Double) {
        (leftEye, rightEye, nose, mouthLeft, mouthRight) = (points[0], points[1], points[2], points[3], points[4])
        self.confidence = confidence
    }

    /// The angle of the line from the left to the right eye, in degrees, clockwise positive.
    package var roll: Double { atan2(rightEye.y - leftEye.y, rightEye.x - leftEye.x) * 180 / .pi }

    /// The five points in the order of the properties.
    package var points: [PixelPoint] { [leftEye, rightEye, nose, mouthLeft, mouthRight] }

    /// The landmarks with each point converted, such as to another size of the image.
    package func mapped(_ convert: (PixelPoint) -> PixelPoint) -> FaceLandmarks {
        FaceLandmarks(points.map(convert), confidence: confidence)
    }
}
