/// Finds faces, or other objects that crops are centred on, in luma pixels.
///
/// Implement this protocol to add another kind of detector. Only one thread uses an instance at a time, so it may keep
/// working memory; a ``FaceDetectorModel`` creates one instance for each worker.
///
/// ```swift
/// struct BrightSpot: FaceDetector {
///     let name = "bright-spot"
///     let smallestDetectableSide = 1
///
///     mutating func detect(in image: LumaImage, threshold: Double) throws -> [Detection] {
///         image.withPixels { pixels in
///             for y in 0..<image.size.height {
///                 for x in 0..<image.size.width where pixels[y * image.bytesPerRow + x] == 255 {
///                     return [Detection(box: PixelRect(x: x, y: y, width: 1, height: 1), confidence: 1)]
///                 }
///             }
///             return []
///         }
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
    ///   - image: The pixels, only valid during this call.
    ///   - threshold: Added to the detector's own threshold: 0 is its normal operating point; lower values find more
    ///     objects and more false positives.
    /// - Returns: The detections in pixels of `image`, highest confidence first; an empty array if nothing is found.
    /// - Throws: ``DetectionError``, or an error of the implementation.
    mutating func detect(in image: LumaImage, threshold: Double) throws -> [Detection]
}
