public import Geometry

/// Finds faces, or other objects that crops are centred on, in luma pixels.
///
/// Implement it to add another kind of detector. An instance is used by one thread at a time, so it may keep working
/// memory; a ``FaceDetectorModel`` creates one for each worker.
///
/// ```swift
/// struct BrightSpot: FaceDetector {
///     let name = "bright-spot"
///     let smallestDetectableSide = 1
///
///     mutating func detect(in image: LumaImage, threshold: Double) throws -> [Detection] {
///         for y in 0..<image.size.height {
///             for x in 0..<image.size.width where image.pixels[y * image.bytesPerRow + x] == 255 {
///                 return [Detection(box: PixelRect(x: x, y: y, width: 1, height: 1), confidence: 1)]
///             }
///         }
///         return []
///     }
/// }
///
/// let model = FaceDetectorModel(name: "bright-spot") { BrightSpot() }
/// ```
public protocol FaceDetector {
    /// A short name for responses and logs, such as `dlib-hog`.
    var name: String { get }

    /// The side of the smallest detectable object, in pixels of the input image.
    ///
    /// Callers choose the scale of the image accordingly.
    var smallestDetectableSide: Int { get }

    /// Finds objects in an upright grey image.
    ///
    /// - Parameters:
    ///   - image: The pixels, valid during this call only.
    ///   - threshold: Added to the detector's own threshold: 0 is its normal operating point; lower values find more
    ///     objects and more false positives.
    /// - Returns: The detections in pixels of `image`, highest confidence first; an empty array if there are none.
    /// - Throws: ``DetectionError``, or an error of the implementation.
    mutating func detect(in image: LumaImage, threshold: Double) throws -> [Detection]
}

/// An upright grey image for a detector: 8 bits per pixel, rows from the top, borrowed from its owner.
///
/// The pixels are valid only during the call that receives the image; a detector that needs them longer must copy
/// them.
public struct LumaImage {
    /// The top left pixel; 0 is black.
    public let pixels: UnsafePointer<UInt8>
    /// Width and height in pixels.
    public let size: PixelSize
    /// The distance between rows in bytes, at least `size.width`.
    public let bytesPerRow: Int

    /// A view of rows of `size.width` bytes at intervals of `bytesPerRow` bytes.
    public init(pixels: UnsafePointer<UInt8>, size: PixelSize, bytesPerRow: Int) {
        self.pixels = pixels
        self.size = size
        self.bytesPerRow = bytesPerRow
    }
}

/// Errors of loading or running a detector.
public enum DetectionError: Error, Hashable, Sendable {
    /// The file at `path` cannot be opened or read.
    case unreadableModel(path: String, reason: String)
    /// The file at `path` is not a detector saved by dlib, or contains invalid values.
    case invalidModel(path: String, reason: String)
    /// The image has no pixels, a side over 32,768 pixels, or rows that overlap.
    case invalidImage
    /// The threshold is not a number from −2 to 100. Far below 0 nearly every window is a detection.
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
