public import Geometry
import Glibc

/// A detected object.
public struct Detection: Sendable, Hashable {
    /// The box in pixels of the detector's input image: origin at the top left.
    ///
    /// For dlib's faces, the box extends from brow to chin and from ear to ear. It may extend beyond the image's edges.
    public var box: PixelRect
    /// The detector's raw score above its own threshold.
    ///
    /// A higher score is more certain; the scale depends on the detector.
    ///
    /// With a threshold of 0, every score is 0 or more. dlib's faces rarely exceed 3. Plans contain this number as
    /// `score`, and its ``DetectionScore/probability(_:)`` as `confidence`.
    public var confidence: Double
    /// The pose of the head, if the detector provides it.
    public var pose: Pose?
    /// The mean of all windows that detected the object, if the detector provides it.
    public var consensus: Consensus?
    /// The landmarks in pixels of the detector's input image, if the detector provides them.
    package var landmarks: FaceLandmarks?
    /// The kind of detector that found the object.
    package var finder = Finder.detector

    /// The kind of detector that found an object; it determines the part of the head that the box covers.
    package enum Finder: String, Codable, Sendable, Hashable {
        /// A ``FaceDetector``.
        case detector
        /// A ``FaceNetwork``, whose boxes extend from hairline to chin.
        case network
    }

    /// Creates a detection of a ``FaceDetector``.
    ///
    /// - Parameters:
    ///   - box: In pixels of the detector's input image; it may extend beyond the image's edges.
    ///   - confidence: The raw score above the detector's own threshold.
    ///   - pose: The pose of the head; nil if the detector does not provide it.
    ///   - consensus: The mean of all windows; nil if the detector does not provide it.
    public init(box: PixelRect, confidence: Double, pose: Pose? = nil, consensus: Consensus? = nil) {
        self.box = box
        self.confidence = confidence
        self.pose = pose
        self.consensus = consensus
    }
}
