import Framing
import Geometry
import Imaging

/// Adds the background next to and behind a crop, and rotates the crop if the job rotates faces.
struct BackgroundStep: CropStep {
    private let materials: StepInputs

    static func isRequested(_ options: FrameOptions) -> Bool { true }

    init?(_ materials: StepInputs) { self.materials = materials }

    /// The position of a crop in its result.
    enum Placement {
        /// The crop is the result.
        case fills
        /// The crop lies on the background.
        case bars
        /// The visible part of the crop is rotated and lies on the background.
        case turned(RotatedCrop)
    }

    static func bytesNeeded(_ plan: DecodePlan, _ bound: ResultBound) -> Int {
        let options = plan.job.options
        // The visible part before its rotation, which may have more than twice the pixels of the result, its coverage,
        // and the background.
        if options.faceTurn != nil { return 28 * bound.pixels }
        // A second alpha plane, the copy of it that libwebp makes, and a copy without transparent pixels.
        let transparent = options.background == .transparent ? 3 : 0
        switch options.framing.fit {
        case .pad, .auto: return (transparent > 0 ? 8 + transparent : 4) * bound.pixels
        case .cover, .limit, .crop, .inside, .outside, .fill:
            return ((options.flattensAlpha ? 4 : 0) + transparent) * bound.pixels
        }
    }

    static var changesFullCrops: Bool { false }

    func hasAlpha(_ crop: FramePlan.Crop, before: Bool) -> Bool {
        if case .fills = materials.placement(of: crop) { before } else { materials.options.background == .transparent }
    }

    func applied(to image: PlanarImage, at moment: AnimationTime) throws(CodecError) -> PlanarImage {
        let crop = moment.crop
        let background = materials.background(of: moment.format)
        switch materials.placement(of: crop) {
        case .fills: return image
        case .bars: return try image.laid(on: background, of: crop.output, at: crop.image)
        case .turned(let turned):
            let turn = Rotation(
                centre: PixelPoint(
                    x: (turned.centre.x - Double(crop.rect.x)) * Double(image.size.width) / Double(crop.rect.width),
                    y: (turned.centre.y - Double(crop.rect.y)) * Double(image.size.height)
                        / Double(crop.rect.height)
                ),
                place: PixelPoint(x: Double(crop.output.width) / 2, y: Double(crop.output.height) / 2),
                roll: turned.roll
            )
            return try image.turned(turn, to: crop.output, on: background)
        }
    }
}
