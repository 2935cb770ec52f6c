import Framing
import Geometry
import Imaging

/// Cuts the corners of finished results, after bars and stickers and before the turn, which does not change the
/// outline.
struct MaskStage {
    private let mask: ResultMask
    private let options: FrameOptions

    /// The mask of a job; nil if it has none.
    init?(_ options: FrameOptions) {
        guard let mask = options.mask else { return nil }
        self.mask = mask
        self.options = options
    }

    /// Whether the corners show the background and not transparency, in a format that could be transparent.
    var hasGround: Bool { options.flattensAlpha }

    /// A grey or RGB picture, before its turn, with its corners cut.
    ///
    /// In a format without alpha the corners have the colour of the background, and a grey picture becomes RGB.
    func applied(to picture: PlanarImage, as format: ImageFormat) throws(CodecError) -> PlanarImage {
        let radii = mask.radii(in: picture.size, ratio: options.resultSize.devicePixelRatio)
        let cut = try picture.roundedOff(across: radii.across, down: radii.down)
        guard !format.keepsAlpha || hasGround else { return cut }
        let color: Background = if case .color = options.background { options.background } else { .white }
        // A grey picture cannot hold the colour.
        let base = cut.colorModel == .gray ? try cut.converted(to: .rgb) : cut
        return try base.laid(on: color, of: base.size, at: PixelRect(base.size))
    }
}
