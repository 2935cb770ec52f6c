extension Pose {
    /// The five filters of dlib's frontal face detector, in the order that its header names them.
    static let partsOfFrontalDetector: [Pose] = [.frontal, .left, .right, .rotatedLeft, .rotatedRight]
}
