import Imaging

/// What the steps of a job are made of: its options, and what was decoded and found for them.
struct StepInputs {
    let options: FrameOptions
    /// Whether the source may have transparent pixels.
    var sourceHasAlpha: Bool
    /// The colour that becomes transparent; nil if none was requested, or if the source's borders have none.
    var keyColor: KeyColor?
    /// The decoded image behind the key; nil unless the backdrop is an image.
    var backdrop: PlanarImage?
    /// The stickers with the faces on which they are drawn; nil for none.
    var stickers: FaceStickers?
    /// The watermark's image; nil for none.
    var mark: MarkImage?

    /// The materials of a job without stickers, a watermark and images of the key.
    init(_ options: FrameOptions, sourceHasAlpha: Bool) {
        self.options = options
        self.sourceHasAlpha = sourceHasAlpha
    }
}
