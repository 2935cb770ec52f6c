/// Something that finds faces, or whatever else pictures should be centred on, in luma pixels.
///
/// This is where a detector of another kind is plugged in: image in, boxes out. An instance belongs to one thread at a
/// time, so it may keep working memory; a ``FaceDetectorModel`` makes one for every worker.
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
    /// A short name for answers and logs, such as `dlib-hog`.
    var name: String { get }

    /// The side in pixels of the smallest object that can be found in an image as it is given.
    ///
    /// Callers choose the scale of the image by it.
    var smallestDetectableSide: Int { get }

    /// Finds objects in an upright grey image.
    ///
    /// - Parameters:
    ///   - image: The pixels, valid during this call only.
    ///   - threshold: Added to the detector's own threshold: 0 is its normal operating point, lower values find more
    ///     and err more.
    /// - Returns: What was found, the highest confidence first, in pixels of `image`; nothing found is no error.
    /// - Throws: ``DetectionError``, or an error of the detector's own.
    mutating func detect(in image: LumaImage, threshold: Double) throws -> [Detection]
}
