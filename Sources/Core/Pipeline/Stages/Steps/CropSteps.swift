import Framing
import Geometry
import Imaging

/// The steps of a job between the scaled pixels of a crop and the encoder.
struct CropSteps {
    /// The steps for the pixels of a crop, in this order.
    ///
    /// Still images, animations and placeholders use the same list. A new effect needs a file here, a row of parameters
    /// and a page. A new filter is a case of ``ImageFilter``, not a step.
    static let order: [any CropStep.Type] = [
        KeyStep.self, FilterStep.self, ModelStep.self, BackgroundStep.self, StickerStep.self, MaskStep.self,
        TurnStep.self,
        MarkStep.self,
    ]

    private let steps: [any CropStep]
    private let materials: StepInputs

    /// Creates the steps that a job requests.
    init(_ materials: StepInputs) {
        self.materials = materials
        steps = Self.order(for: materials.options).compactMap { $0.init(materials) }
    }

    private init(_ steps: some Sequence<any CropStep>, _ materials: StepInputs) {
        self.steps = Array(steps)
        self.materials = materials
    }

    /// Returns the maximum number of bytes that the steps of a job hold together, in addition to their input image.
    static func bytesNeeded(_ plan: DecodePlan, _ bound: ResultBound) -> Int {
        order(for: plan.job.options).reduce(0) { $0 + $1.bytesNeeded(plan, bound) }
    }

    private static func order(for options: FrameOptions) -> [any CropStep.Type] {
        order.filter { $0.isRequested(options) }
    }

    /// The steps that placeholders show.
    var ofPlaceholders: CropSteps { CropSteps(steps.filter { type(of: $0).isInPlaceholders }, materials) }

    /// The steps before the first step that changes with time; ``moving`` contains the others.
    var still: CropSteps { CropSteps(steps.prefix { !type(of: $0).isAnimated }, materials) }

    /// The first step that changes with time, and all steps after it.
    var moving: CropSteps { CropSteps(steps.drop { !type(of: $0).isAnimated }, materials) }

    /// Whether a step changes a crop that fills its result.
    var changeFullCrops: Bool { steps.contains { type(of: $0).changesFullCrops } }

    /// Whether a crop fills its result without a background.
    func fill(_ crop: FramePlan.Crop) -> Bool {
        if case .fills = materials.placement(of: crop) { true } else { false }
    }

    /// Returns the steps prepared for many images of one crop: work that is common to all images, such as scaling a
    /// watermark, is done once.
    ///
    /// - Throws: ``CodecError`` if memory is exhausted.
    func prepared(for crop: FramePlan.Crop) throws(CodecError) -> CropSteps {
        var prepared: [any CropStep] = []
        for step in steps { prepared.append(try step.prepared(for: crop)) }
        return CropSteps(prepared, materials)
    }

    /// The colour models in which every step after the background can draw.
    private var models: StepModels { steps.map(\.models).max() ?? .all }

    // MARK: Alpha and colour models

    /// Whether the steps may add transparent pixels to a crop with an opaque source.
    func addAlpha(_ crop: FramePlan.Crop) -> Bool {
        steps.reduce(false) { before, step in step.hasAlpha(crop, before: before) }
    }

    /// Returns the colour model for an image that later steps draw on; nil if no step draws on the image.
    ///
    /// - Parameters:
    ///   - own: The colour model of the encoded image if nothing is drawn on it.
    ///   - isDrawnOn: Whether something is drawn on the image regardless of the steps.
    /// - Returns: Grey or RGB; nil to keep the best model for the file.
    private func modelToDrawOn(_ own: ColorModel, _ isDrawnOn: Bool) -> ColorModel? {
        switch isDrawnOn ? .rgb : models {
        case .all: nil
        case .grayOrRGB: own == .gray ? .gray : .rgb
        case .rgb: .rgb
        }
    }

    /// Returns the colour model in which the background is added to a crop.
    ///
    /// - Parameters:
    ///   - crop: The crop.
    ///   - image: The decoded image.
    ///   - format: The format of the result.
    ///   - encoding: The encoding options.
    ///   - isRGB: Whether the result must be red, green and blue in any case.
    /// - Returns: A model in which every later step can draw.
    func model(
        of crop: FramePlan.Crop,
        from image: PlanarImage,
        as format: OutputFormat,
        _ encoding: EncodingOptions,
        isRGB: Bool = false
    ) -> ColorModel {
        let own = ModelStep.model(of: image.colorModel, materials.options)
        let background = materials.background(of: format)
        switch materials.placement(of: crop) {
        case .fills:
            return modelToDrawOn(own, isRGB) ?? ImageEncoder.model(for: own, as: format, encoding)
        case .bars:
            var model = own == .cmyk || own == .gray && !background.isGray ? .rgb : own
            if image.alpha != nil || KeyStep.addsAlpha(materials.options) || background == .transparent {
                // Only grey and RGB images have alpha; the encoder converts them after blending.
                if model != .gray { model = .rgb }
            } else {
                model = ImageEncoder.model(for: model, as: format, encoding)
            }
            return modelToDrawOn(model, isRGB) ?? model
        case .turned:
            return own == .gray && background.isGray && !isRGB && models < .rgb ? .gray : .rgb
        }
    }

    // MARK: Pixels

    /// Returns a scaled crop of a decoded image with all steps applied.
    ///
    /// - Parameters:
    ///   - image: The decoded image.
    ///   - region: The crop in pixels of the image; it may extend beyond the image.
    ///   - profile: The use of the image's colour profile.
    ///   - moment: The crop and the frame in the image.
    /// - Returns: The finished, rotated image, before it is encoded.
    /// - Throws: ``CodecError`` if memory is exhausted, or if colours cannot be converted.
    func result(
        of image: PlanarImage,
        _ region: FractionalRect,
        profile: ProfileUse,
        at moment: AnimationTime
    ) throws(CodecError) -> PlanarImage {
        let size = materials.visibleSize(of: moment.crop)
        let source: PlanarImage
        if ModelStep.isRequested(materials.options) {
            // A grey profile does not apply to the RGB image.
            let profile = image.colorModel == .gray ? .srgb : profile
            source = try image.rendered(region, to: size, model: .rgb, profile: profile)
        } else {
            source = try image.rendered(region, to: size, model: moment.model, profile: profile)
        }
        return try applied(to: source, at: moment)
    }

    /// Returns an image with all steps applied.
    func applied(to image: PlanarImage, at moment: AnimationTime) throws(CodecError) -> PlanarImage {
        var result = image
        for step in steps { result = try step.applied(to: result, at: moment) }
        return result
    }
}
