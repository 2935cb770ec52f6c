import Framing
import Geometry
import Imaging

/// The steps of a job between the scaled pixels of a crop and the encoder.
struct CropSteps {
    /// What happens to the pixels of a crop, in this order.
    ///
    /// Stills, animations and placeholders have the same list. Another effect is its file here, its row of parameters
    /// and its page; another filter is a case of ``ImageFilter``, and no step.
    static let order: [any CropStep.Type] = [
        KeyStep.self, FilterStep.self, ModelStep.self, BackgroundStep.self, StickerStep.self, MaskStep.self,
        TurnStep.self,
        MarkStep.self,
    ]

    private let steps: [any CropStep]
    private let materials: StepInputs

    /// The steps that a job asks for.
    init(_ materials: StepInputs) {
        self.materials = materials
        steps = Self.order.compactMap { $0.init(materials) }
    }

    private init(_ steps: some Sequence<any CropStep>, _ materials: StepInputs) {
        self.steps = Array(steps)
        self.materials = materials
    }

    /// The most bytes that the steps of a job hold together, beside the image before them.
    static func bytesNeeded(_ plan: DecodePlan, _ bound: ResultBound) -> Int {
        order.reduce(0) { $0 + $1.bytesNeeded(plan, bound) }
    }

    /// The steps that placeholders show.
    var ofPlaceholders: CropSteps { CropSteps(steps.filter { type(of: $0).isInPlaceholders }, materials) }

    /// The steps before the first one that changes with time; the others follow in ``moving``.
    var still: CropSteps { CropSteps(steps.prefix { !type(of: $0).isAnimated }, materials) }

    /// The first step that changes with time, and those after it.
    var moving: CropSteps { CropSteps(steps.drop { !type(of: $0).isAnimated }, materials) }

    /// Whether no step changes a crop that fills its result.
    var isEmpty: Bool { steps.allSatisfy { !type(of: $0).changesFullCrops } }

    /// Whether a crop fills its result without a background.
    func fill(_ crop: FramePlan.Crop) -> Bool {
        if case .fills = materials.placement(of: crop) { true } else { false }
    }

    /// The steps for many images of one crop, with what they share made once, such as a scaled watermark.
    ///
    /// - Throws: ``CodecError`` if there is no memory.
    func prepared(for crop: FramePlan.Crop) throws(CodecError) -> CropSteps {
        var prepared: [any CropStep] = []
        for step in steps { prepared.append(try step.prepared(for: crop)) }
        return CropSteps(prepared, materials)
    }

    /// The colour models in which every step after the ground can draw.
    private var models: StepModels { steps.map(\.models).max() ?? .all }

    // MARK: Alpha and colour models

    /// Whether the steps may make pixels of a crop transparent whose source is opaque.
    func addAlpha(_ crop: FramePlan.Crop) -> Bool {
        steps.reduce(false) { before, step in step.hasAlpha(crop, before: before) }
    }

    /// The model of an image of a source that is drawn on after it is placed; nil if it is not.
    ///
    /// - Parameters:
    ///   - own: The model in which the image would be encoded.
    ///   - isDrawnOn: Whether it is drawn on in any case.
    /// - Returns: Grey or RGB; nil to keep the best model for the file.
    private func modelToDrawOn(_ own: ColorModel, _ isDrawnOn: Bool) -> ColorModel? {
        switch isDrawnOn ? .rgb : models {
        case .all: nil
        case .grayOrRGB: own == .gray ? .gray : .rgb
        case .rgb: .rgb
        }
    }

    /// The colour model in which a crop is laid on its ground.
    ///
    /// - Parameters:
    ///   - crop: The crop.
    ///   - image: The decoded image.
    ///   - format: The format of the result.
    ///   - encoding: How it is encoded.
    ///   - isRGB: Whether the result must be red, green and blue in any case.
    /// - Returns: A model that every later step can draw in.
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

    /// A crop of a decoded image, scaled and with every step.
    ///
    /// - Parameters:
    ///   - image: The decoded image.
    ///   - region: The crop in its pixels; parts of it may lie outside.
    ///   - profile: The use of the picture's colour profile.
    ///   - moment: The crop and the frame that the image shows.
    /// - Returns: The finished image, turned, before it is encoded.
    /// - Throws: ``CodecError`` if there is no memory, or if colours cannot be converted.
    func result(
        of image: PlanarImage,
        _ region: FractionalRect,
        profile: ProfileUse,
        at moment: AnimationTime
    ) throws(CodecError) -> PlanarImage {
        let size = materials.visibleSize(of: moment.crop)
        let source: PlanarImage
        if ModelStep.isNeeded(materials.options) {
            // A profile of grey does not apply to the RGB image.
            let profile = image.colorModel == .gray ? .srgb : profile
            source = try image.rendered(region, to: size, model: .rgb, profile: profile)
        } else {
            source = try image.rendered(region, to: size, model: moment.model, profile: profile)
        }
        return try applied(to: source, at: moment)
    }

    /// An image with every step.
    func applied(to image: PlanarImage, at moment: AnimationTime) throws(CodecError) -> PlanarImage {
        var result = image
        for step in steps { result = try step.applied(to: result, at: moment) }
        return result
    }
}
