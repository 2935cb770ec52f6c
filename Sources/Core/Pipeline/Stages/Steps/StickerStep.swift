import FaceDetection
import Framing
import Geometry
import Imaging

/// Draws the stickers of a job on finished crops, before their corners are cut.
struct StickerStep: CropStep {
    private let stickers: FaceStickers

    static func isRequested(_ options: FrameOptions) -> Bool { !options.stickers.isEmpty }

    init?(_ materials: StepInputs) {
        guard let stickers = materials.stickers else { return nil }
        self.stickers = stickers
    }

    /// Returns the memory of the stickers' frames, of one scaled and rotated frame, and of the largest result with and
    /// without stickers.
    static func bytesNeeded(_ plan: DecodePlan, _ bound: ResultBound) -> Int {
        let stickers = plan.job.options.stickers.prefix(Sticker.maxStickers)
        return stickers.reduce(0) { $0 + $1.content.bytes } + bound.pixels * 20
    }

    static var isInPlaceholders: Bool { false }
    static var isAnimated: Bool { true }

    var models: StepModels { .rgb }

    func applied(to image: PlanarImage, at moment: AnimationTime) throws(CodecError) -> PlanarImage {
        try stickers.drawn(on: image, moment.crop, at: moment.time, frame: moment.frame)
    }
}
