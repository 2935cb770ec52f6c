import Framing
import Geometry
import Imaging

extension StepInputs {
    /// Returns the position of a crop in its result.
    func placement(of crop: FramePlan.Crop) -> BackgroundStep.Placement {
        if let turned = crop.turned { return .turned(turned) }
        let showsBackground = crop.hasBars || options.flattensAlpha && (sourceHasAlpha || KeyStep.addsAlpha(options))
        return showsBackground ? .bars : .fills
    }

    /// Returns the size of a crop's visible part in pixels of the result.
    ///
    /// The crop is scaled to this size before the steps.
    func visibleSize(of crop: FramePlan.Crop) -> PixelSize {
        switch placement(of: crop) {
        case .fills: crop.output
        case .bars: crop.image.size
        case .turned(let turned): crop.rect.size.scaled(by: Double(crop.output.width) / turned.width)
        }
    }

    /// Returns the background of a result; white instead of transparency in a format without alpha.
    func background(of format: OutputFormat) -> Background {
        options.background == .transparent && !format.keepsAlpha ? .white : options.background
    }
}
