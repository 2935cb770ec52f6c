import Imaging

/// Rotates and mirrors a finished crop.
struct TurnStep: CropStep {
    private let turn: Orientation

    static func isRequested(_ options: FrameOptions) -> Bool { options.turn != .up }

    init?(_ materials: StepInputs) { turn = materials.options.turn }

    static func bytesNeeded(_ plan: DecodePlan, _ bound: ResultBound) -> Int {
        // A copy of the planes.
        4 * bound.pixels
    }

    func applied(to image: PlanarImage, at moment: AnimationTime) throws(CodecError) -> PlanarImage {
        try image.oriented(turn)
    }
}
