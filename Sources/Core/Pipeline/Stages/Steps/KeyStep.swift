import Framing
import Geometry
import Imaging

/// Makes a colour transparent, for example the colour of a green screen, and draws the other pixels on the backdrop, if
/// there is one.
struct KeyStep: CropStep {
    private let key: ChromaKey
    /// The colour that becomes transparent; nil if the source's borders have no single colour.
    private let color: KeyColor?
    private let backdrop: Backdrop?
    /// The decoded image of the backdrop; nil unless the backdrop is an image.
    private let image: PlanarImage?

    static func isRequested(_ options: FrameOptions) -> Bool { options.key != nil }

    init?(_ materials: StepInputs) {
        guard let key = materials.options.key else { return nil }
        self.key = key
        color = materials.keyColor
        backdrop = materials.options.backdrop
        image = materials.backdrop
    }

    static func bytesNeeded(_ plan: DecodePlan, _ bound: ResultBound) -> Int {
        // The crop before and after the key colour is removed, the backdrop and its conversion, and a copy without
        // transparent pixels.
        15 * bound.pixels + plan.backdropBytes
    }

    /// Whether the chroma key of a job leaves transparent pixels.
    static func addsAlpha(_ options: FrameOptions) -> Bool { isRequested(options) && options.backdrop == nil }

    func hasAlpha(_ crop: FramePlan.Crop, before: Bool) -> Bool { before || backdrop == nil }

    func applied(to image: PlanarImage, at moment: AnimationTime) throws(CodecError) -> PlanarImage {
        guard let color else { return image }
        let front = try image.without(color, key)
        let whole = PixelRect(front.size)
        switch backdrop {
        case nil: return front
        case .color(let color):
            let background = Background.color(red: color.red, green: color.green, blue: color.blue)
            return try front.laid(on: background, of: front.size, at: whole)
        case .blur:
            return try front.laid(on: .blur, of: front.size, at: whole)
        case .image:
            guard let fill = self.image else { return front }
            let cover = fill.size.covering(front.size)
            let scaled = try fill.rendered(cover, to: front.size, model: .rgb, profile: .srgb).flattened()
            return try front.laid(over: scaled)
        }
    }
}

extension PixelSize {
    /// Returns the largest centred region of an image of this size with the same aspect ratio as a given size.
    fileprivate func covering(_ other: PixelSize) -> FractionalRect {
        let scale = min(Double(width) / Double(other.width), Double(height) / Double(other.height))
        let (across, down) = (Double(other.width) * scale, Double(other.height) * scale)
        let (left, top) = ((Double(width) - across) / 2, (Double(height) - down) / 2)
        return FractionalRect(x: left, y: top, width: across, height: down)
    }
}

extension DecodePlan {
    /// Memory of the backdrop in bytes, at a scale that is sufficient for the longer side of the largest result.
    fileprivate var backdropBytes: Int {
        guard let backdrop else { return 0 }
        let side = renderedAspects.map { largestOutput($0).longSide }.max() ?? 1
        let square = PixelSize(width: side, height: side)
        return backdrop.decodedBytes(atScale: .smallest(of: backdrop, atLeast: square, from: backdrop.size))
    }
}
