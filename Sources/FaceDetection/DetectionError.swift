/// Why a detector could not be made, or could not look at an image.
public enum DetectionError: Error, Hashable, Sendable {
    /// The file at `path` cannot be opened or read.
    case unreadableModel(path: String, reason: String)
    /// The file at `path` holds no detector that dlib saved, or one with values that make no sense.
    case invalidModel(path: String, reason: String)
    /// The image has no pixels, a side over 32,768 pixels, or rows that overlap.
    case invalidImage
    /// The threshold is not a number from −2 to 100. Far below 0 nearly every place of a picture is a "face".
    case invalidThreshold(Double)
    /// There is not enough memory for an image of that size.
    case outOfMemory
    /// The library beneath failed in a way that it should not; `reason` is its own message.
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
        case .outOfMemory: "out of memory while looking for faces"
        case .failed(let reason): "the detector failed: \(reason)"
        }
    }
}
