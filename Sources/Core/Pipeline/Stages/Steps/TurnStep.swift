import Imaging

/// Rotates and mirrors a finished crop.
struct TurnStep: CropStep {
    private let turn: Orientation

    init?(_ materials: StepInputs) {
        guard materials.options.turn != .up else { return nil }
        turn = materials.options.turn
    }

    static func bytesNeeded(_ plan: DecodePlan, _ bound: ResultBound) -> Int {
        // A copy of the planes.
        plan.job.options.turn == .up ? 0 : 4 * bound.pixels
    }

    func applied(to image: PlanarImage, at moment: AnimationTime) throws(CodecError) -> PlanarImage {
        try image.oriented(turn)
    }
}
