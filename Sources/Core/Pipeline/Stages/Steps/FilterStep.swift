import Imaging

/// Applies the filters of a job to a crop.
struct FilterStep: CropStep {
    private let filters: [ImageFilter]

    init?(_ materials: StepInputs) {
        guard !materials.options.filters.isEmpty else { return nil }
        filters = materials.options.filters
    }

    static func bytesNeeded(_ plan: DecodePlan, _ bound: ResultBound) -> Int {
        plan.job.options.filters.bytesNeeded(area: bound.pixels, longSide: bound.longSide)
    }

    func applied(to image: PlanarImage, at moment: AnimationTime) throws(CodecError) -> PlanarImage {
        try image.filtered(by: filters)
    }
}
