import Imaging

/// Converts a crop to the colour model of its result; keys and filters leave it in red, green and blue.
struct ModelStep: CropStep {
    /// Whether a job changes colours before the background is added.
    static func isRequested(_ options: FrameOptions) -> Bool {
        FilterStep.isRequested(options) || KeyStep.isRequested(options)
    }

    init?(_ materials: StepInputs) {}

    static func bytesNeeded(_ plan: DecodePlan, _ bound: ResultBound) -> Int {
        // The crop in red, green, blue and alpha, and its conversion.
        8 * bound.pixels
    }

    /// Returns the best colour model for encoding a crop after this step; `source` is the model of the source.
    static func model(of source: ColorModel, _ options: FrameOptions) -> ColorModel {
        guard isRequested(options) else { return source }
        // Only grey and RGB images have alpha, and the key and the backdrop are not grey.
        if KeyStep.addsAlpha(options) || options.key != nil && source == .gray { return .rgb }
        return options.filters.colorModel(of: source)
    }

    func applied(to image: PlanarImage, at moment: AnimationTime) throws(CodecError) -> PlanarImage {
        try image.converted(to: moment.model)
    }
}
