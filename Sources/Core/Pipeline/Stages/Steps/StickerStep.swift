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

extension ImageOutput {
    /// Returns the format of an animation of a still source with stickers; nil if no accepted format supports
    /// animations.
    func stickerFormat(for source: InputFormat) -> OutputFormat? {
        if let format { return format.keepsAnimation && format != .png ? format : nil }
        // If there is no choice, the format is the source's format.
        if accepted.isEmpty { return source.writtenAnimated.flatMap { $0 == .png ? nil : $0 } }
        if let best = accepted.first, best.isExpensive, best.keepsAnimation { return best }
        return accepted.first { $0.suitsEveryAnimation && !$0.isExpensive }
    }
}
