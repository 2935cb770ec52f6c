import Framing
import Geometry
import Imaging

/// Cuts the corners of results, after bars and stickers are added and before the rotation, which does not change the
/// outline.
struct MaskStep: CropStep {
    private let mask: ResultMask
    private let options: FrameOptions

    static func isRequested(_ options: FrameOptions) -> Bool { options.mask != nil }

    init?(_ materials: StepInputs) {
        guard let mask = materials.options.mask else { return nil }
        self.mask = mask
        options = materials.options
    }

    static func bytesNeeded(_ plan: DecodePlan, _ bound: ResultBound) -> Int {
        // A plane of coverage, alpha, a copy on a background, and a copy without transparent pixels.
        11 * bound.pixels
    }

    var models: StepModels { .grayOrRGB }

    /// Whether the corners show the background even if the format supports transparency.
    private var hasBackground: Bool { options.flattensAlpha }

    func hasAlpha(_ crop: FramePlan.Crop, before: Bool) -> Bool { before || !hasBackground }

    /// Returns the image with its corners cut.
    ///
    /// In a format without alpha, the corners have the colour of the background, and a grey image becomes RGB.
    func applied(to image: PlanarImage, at moment: AnimationTime) throws(CodecError) -> PlanarImage {
        let radii = mask.radii(in: image.size, ratio: options.resultSize.devicePixelRatio)
        let cut = try image.roundedOff(across: radii.across, down: radii.down)
        guard !moment.format.keepsAlpha || hasBackground else { return cut }
        let color: Background = if case .color = options.background { options.background } else { .white }
        // A grey image cannot hold the colour.
        let base = cut.colorModel == .gray ? try cut.converted(to: .rgb) : cut
        return try base.laid(on: color, of: base.size, at: PixelRect(base.size))
    }
}
