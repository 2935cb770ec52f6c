import Imaging

/// The inputs of a job's steps: its options, decoded images and detections.
struct StepInputs {
    let options: FrameOptions
    /// Whether the source may have transparent pixels.
    var sourceHasAlpha: Bool
    /// The colour that becomes transparent; nil if none was requested, or if the source's borders have no single
    /// colour.
    var keyColor: KeyColor?
    /// The decoded image behind the chroma key; nil unless the backdrop is an image.
    var backdrop: PlanarImage?
    /// The stickers and the faces for them; nil for none.
    var stickers: FaceStickers?
    /// The watermark's image; nil for none.
    var mark: MarkImage?

    /// Creates the inputs of a job without stickers, a watermark and images of the chroma key.
    init(_ options: FrameOptions, sourceHasAlpha: Bool) {
        self.options = options
        self.sourceHasAlpha = sourceHasAlpha
    }
}
