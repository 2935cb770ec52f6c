import Imaging

/// A change of a crop's pixels after it is scaled.
///
/// A step is one file: what asks for it, the memory that it holds, and what it does. ``CropSteps/order`` names all of
/// them. Redaction is none: it changes the decoded pixels, so that nothing of a head reaches a step.
protocol CropStep: SendableMetatype {
    /// The step of a job; nil if the job does not ask for it.
    init?(_ materials: StepInputs)

    /// The most bytes that the step holds beside the image that it is given, known from headers.
    ///
    /// - Parameters:
    ///   - plan: The job and the headers of its images.
    ///   - bound: The largest result.
    /// - Returns: 0 if the job does not ask for the step.
    static func bytesNeeded(_ plan: DecodePlan, _ bound: ResultBound) -> Int

    /// Whether placeholders show the step.
    static var isInPlaceholders: Bool { get }

    /// Whether the step changes from one moment of a still source to the next, as animated stickers do.
    static var isAnimated: Bool { get }

    /// The colour models in which the step can draw.
    var models: StepModels { get }

    /// Whether the step changes a crop that fills its result.
    static var changesFullCrops: Bool { get }

    /// The step for many images of one crop, with what they share made once.
    ///
    /// - Throws: ``CodecError`` if there is no memory.
    func prepared(for crop: FramePlan.Crop) throws(CodecError) -> Self

    /// Whether a crop may have transparent pixels after the step.
    ///
    /// - Parameters:
    ///   - crop: The crop.
    ///   - before: Whether it may have them before the step.
    /// - Returns: `before` if the step changes nothing about it.
    func hasAlpha(_ crop: FramePlan.Crop, before: Bool) -> Bool

    /// The image with the step applied.
    ///
    /// - Parameters:
    ///   - image: The image in one of ``models``. Its size is that of the crop's visible part until the ground is
    ///     laid, then that of the crop's output.
    ///   - moment: The crop and the frame that the image shows.
    /// - Returns: The image after the step.
    /// - Throws: ``CodecError`` if there is no memory.
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
