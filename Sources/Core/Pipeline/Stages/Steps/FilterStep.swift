import Imaging

/// Applies the filters of a job to a crop.
struct FilterStep: CropStep {
    private let filters: [ImageFilter]

    static func isRequested(_ options: FrameOptions) -> Bool { !options.filters.isEmpty }

    init?(_ materials: StepInputs) { filters = materials.options.filters }

    static func bytesNeeded(_ plan: DecodePlan, _ bound: ResultBound) -> Int {
        plan.job.options.filters.bytesNeeded(area: bound.pixels, longSide: bound.longSide)
    }

    func applied(to image: PlanarImage, at moment: AnimationTime) throws(CodecError) -> PlanarImage {
        try image.filtered(by: filters)
    }
}
