extension [ImageFilter] {
    /// Returns the best colour model for encoding filtered images of a model; scale an image directly to it.
    package func colorModel(of model: ColorModel) -> ColorModel {
        model == .cmyk || model == .gray && !allSatisfy(\.keepsGray) ? .rgb : model
    }

    /// The memory for filtering an image, in bytes, in addition to the image itself.
    ///
    /// - Parameters:
    ///   - area: The pixels of the image.
    ///   - longSide: Its longer side.
    /// - Returns: An upper estimate: the image in red, green, blue and alpha before and after a filter, and the fields
    ///   of the widest blur with their margins.
    package func bytesNeeded(area: Int, longSide: Int) -> Int {
        guard !isEmpty else { return 0 }
        let deviations = flatMap(\.parts).map { part in
            switch part {
            case .blur(let deviation), .sharpen(_, let deviation): deviation
            case .matrix, .curves, .vignette: 0.0
            }
        }
        let planes = 12 * area
        guard let widest = deviations.max(), widest > 0 else { return planes }
        let margin = Int(4 * Swift.min(widest, ImageFilter.maxBlur)) + 64
        return planes + 8 * (area + 2 * margin * longSide + margin * margin)
    }
}
