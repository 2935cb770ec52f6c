public import Framing

/// One object that a detector found.
public struct Detection: Sendable, Hashable {
    /// Where it is, in pixels of the image that was given: origin at the top left.
    ///
    /// For dlib's faces the box runs from brow to chin and from ear to ear. It may reach over the image's edges.
    public var box: PixelRect
    /// The detector's raw score: how far above its own threshold, so that larger is surer; the scale is its own.
    ///
    /// With a threshold of 0 every score is 0 or more. dlib's faces rarely exceed 3.
    public var confidence: Double
    /// How the head is turned, where the detector can tell.
    public var pose: Pose?
    /// What all windows that saw the object say together, where the detector has more than one.
    public var consensus: Consensus?

    /// A detection at `box`, in pixels of the image that was given.
    public init(box: PixelRect, confidence: Double, pose: Pose? = nil, consensus: Consensus? = nil) {
        self.box = box
        self.confidence = confidence
        self.pose = pose
        self.consensus = consensus
    }
}

/// How a head is turned, with left and right as in the picture, not as the person would say.
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
}
