import Imaging

/// A change of the pixels of a scaled crop.
///
/// Each step has one file with the options that request it, its memory, and its effect. ``CropSteps/order`` lists all
/// steps. Redaction is not a step: it changes the decoded pixels, so that no step receives a redacted head.
protocol CropStep: SendableMetatype {
    /// Whether the options of a job request the step.
    ///
    /// ``CropSteps`` creates the step and counts its memory only if this is true.
    static func isRequested(_ options: FrameOptions) -> Bool

    /// Creates the step of a job that requests it; nil if the inputs lack an image that the step draws.
    init?(_ materials: StepInputs)

    /// Returns the memory of a requested step, estimated from headers.
    ///
    /// - Parameters:
    ///   - plan: The job and the headers of its images.
    ///   - bound: The maximum size of a result.
    /// - Returns: The maximum number of bytes in addition to the input image of the step.
    static func bytesNeeded(_ plan: DecodePlan, _ bound: ResultBound) -> Int

    /// Whether placeholders show the step.
    static var isInPlaceholders: Bool { get }

    /// Whether the step makes an animation of a still source, as animated stickers do.
    static var isAnimated: Bool { get }

    /// The colour models in which the step can draw.
    var models: StepModels { get }

    /// Whether the step changes a crop that fills its result.
    static var changesFullCrops: Bool { get }

    /// Returns the step prepared for many images of one crop: work that is common to all images is done once.
    ///
    /// - Throws: ``CodecError`` if memory is exhausted.
    func prepared(for crop: FramePlan.Crop) throws(CodecError) -> Self

    /// Whether a crop may have transparent pixels after the step.
    ///
    /// - Parameters:
    ///   - crop: The crop.
    ///   - before: Whether the crop may have transparent pixels before the step.
    /// - Returns: `before` if the step does not change transparency.
    func hasAlpha(_ crop: FramePlan.Crop, before: Bool) -> Bool

    /// Returns the image with the step applied.
    ///
    /// - Parameters:
    ///   - image: The image in one of the ``models``. It has the size of the crop's visible part until the background
    ///     is added, then the size of the crop's output.
    ///   - moment: The crop and the frame in the image.
    /// - Returns: The image after the step.
    /// - Throws: ``CodecError`` if memory is exhausted.
    func applied(to image: PlanarImage, at moment: AnimationTime) throws(CodecError) -> PlanarImage
}

extension CropStep {
    static var isInPlaceholders: Bool { true }
    static var isAnimated: Bool { false }
    static var changesFullCrops: Bool { true }
    var models: StepModels { .all }
    func prepared(for crop: FramePlan.Crop) throws(CodecError) -> Self { self }
    func hasAlpha(_ crop: FramePlan.Crop, before: Bool) -> Bool { before }
}
