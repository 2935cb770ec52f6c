/// A filter of pictures; docs/filters.md defines each.
package enum PictureFilter: Hashable, Codable, Sendable {
    /// Grey.
    case mono
    /// Grey with high contrast.
    case noir
    /// Grey with low contrast.
    case tonal
    /// Brown tones.
    case sepia
    /// Strong colours with high contrast.
    case chrome
    /// Weak colours with low contrast.
    case fade
    /// Warm tones with weak shadows, as of instant film.
    case instant
    /// Cool tones, as of cross-processed film.
    case process
    /// Warm tones with bright middle tones.
    case transfer
    /// The negative.
    case invert
    /// Darkens the corners.
    case vignette
    /// Gaussian blur, by its standard deviation in pixels of the result.
    case blur(Double)
    /// Unsharp mask, by its amount.
    case sharpen(Double)
    /// Multiplies samples; 1 changes nothing.
    case brightness(Double)
    /// Multiplies distances from the middle grey; 1 changes nothing.
    case contrast(Double)
    /// Multiplies distances from grey of equal luma; 1 changes nothing.
    case saturation(Double)

    /// The largest standard deviation of a blur, in pixels.
    package static let maxBlur = 100.0
    /// The largest amount of sharpening.
    package static let maxSharpening = 10.0
    /// The largest factor of brightness, contrast and saturation.
    package static let maxFactor = 10.0
    /// The largest number of filters for one picture.
    package static let maxCount = 8

    /// Whether grey pixels stay grey.
    fileprivate var keepsGray: Bool {
        switch self {
        case .mono, .noir, .tonal, .chrome, .fade, .invert, .vignette, .blur, .sharpen, .brightness, .contrast,
            .saturation:
            true
        case .sepia, .instant, .process, .transfer: false
        }
    }
}

extension [PictureFilter] {
    /// The colour model in which filtered pictures of a model are encoded best; scale a picture directly to it.
    package func colorModel(of model: ColorModel) -> ColorModel {
        model == .cmyk || model == .gray && !allSatisfy(\.keepsGray) ? .rgb : model
    }

    /// The memory for filtering a picture, in bytes, beside the picture before it.
    ///
    /// - Parameters:
    ///   - area: The pixels of the picture.
    ///   - longSide: Its longer side.
    /// - Returns: An upper estimate: the picture in red, green, blue and alpha before and after a filter, and the fields of
    ///   the widest blur with their margins.
    package func bytesNeeded(area: Int, longSide: Int) -> Int {
        guard !isEmpty else { return 0 }
        let deviations = map { filter in
            switch filter {
            case .blur(let deviation): deviation
            case .sharpen: FilterStep.sharpeningDeviation
            default: 0.0
            }
        }
        let planes = 12 * area
        guard let widest = deviations.max(), widest > 0 else { return planes }
        let margin = Int(4 * Swift.min(widest, PictureFilter.maxBlur)) + 64
        return planes + 8 * (area + 2 * margin * longSide + margin * margin)
    }
}
