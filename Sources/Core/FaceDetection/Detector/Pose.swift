import Glibc

/// The pose of a head; left and right from the viewer's perspective.
public enum Pose: String, Codable, Sendable, Hashable, CaseIterable {
    /// Upright and facing the camera.
    case frontal
    /// Turned so that the nose points to the left edge of the image.
    case left
    /// Turned so that the nose points to the right edge of the image.
    case right
    /// Facing the camera, the top of the head tilted to the left by about 27 degrees.
    case rotatedLeft
    /// Facing the camera, the top of the head tilted to the right by about 27 degrees.
    case rotatedRight

    /// The five filters of dlib's frontal face detector, in the order of its header.
    package static let partsOfFrontalDetector: [Pose] = [.frontal, .left, .right, .rotatedLeft, .rotatedRight]
}
