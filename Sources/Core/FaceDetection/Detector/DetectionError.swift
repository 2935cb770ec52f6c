/// Errors of loading or running a detector.
public enum DetectionError: Error, Hashable, Sendable {
    /// The file at `path` cannot be opened or read.
    case unreadableModel(path: String, reason: String)
    /// The file at `path` is not a detector saved by dlib, or contains invalid values.
    case invalidModel(path: String, reason: String)
    /// The image has no pixels, a side over 32,768 pixels, or rows that overlap.
    case invalidImage
    /// The threshold is not a number from −2 to 100; far below 0, nearly every window is a detection.
    case invalidThreshold(Double)
    /// There is not enough memory for an image of that size.
    case outOfMemory
    /// An internal error of the detection library; `reason` is its message.
    case failed(reason: String)
}

extension DetectionError: CustomStringConvertible {
    /// One sentence for a log or a terminal.
    public var description: String {
        switch self {
        case .unreadableModel(let path, let reason): "cannot read the detector \(path): \(reason)"
        case .invalidModel(let path, let reason): "\(path) is not a usable detector: \(reason)"
        case .invalidImage: "the image has no pixels, a side over 32768 pixels, or rows that overlap"
        case .invalidThreshold(let value): "the threshold is \(value); expected a number from -2 to 100"
        case .outOfMemory: "out of memory during face detection"
        case .failed(let reason): "the detector failed: \(reason)"
        }
    }
}
