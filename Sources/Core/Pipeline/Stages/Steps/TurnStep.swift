import Imaging

/// Turns and mirrors a finished crop.
struct TurnStep: CropStep {
    private let turn: Orientation

    init?(_ materials: StepInputs) {
        guard materials.options.turn != .up else { return nil }
        turn = materials.options.turn
    }

    static func bytesNeeded(_ plan: DecodePlan, _ bound: ResultBound) -> Int {
        // The planes once more.
        plan.job.options.turn == .up ? 0 : 4 * bound.pixels
    }

    func applied(to image: PlanarImage, at moment: AnimationTime) throws(CodecError) -> PlanarImage {
        try image.oriented(turn)
    }
}
