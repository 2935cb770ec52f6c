import Geometry
import Imaging

/// Scales a crop, converts its colours, and then applies the effects, in the order of this file.
///
/// Bars, the turn and the encoding follow, so effects change the pixels of the crop only.
struct EffectStage {
    let options: FrameOptions

    /// Whether there are effects.
    static func isNeeded(_ options: FrameOptions) -> Bool { !options.filters.isEmpty }

    /// The memory of the effects for one crop, in bytes.
    static func bytesNeeded(_ options: FrameOptions, _ size: PixelSize) -> Int {
        guard isNeeded(options) else { return 0 }
        // The crop in red, green and blue, and its conversion to the model of the file.
        return 8 * size.area + options.filters.bytesNeeded(area: size.area, longSide: size.longSide)
    }

    /// The colour model of a crop with effects, of a source in the given one.
    func colorModel(of source: ColorModel) -> ColorModel {
        Self.isNeeded(options) ? options.filters.colorModel(of: source) : source
    }

    /// A region of a picture, scaled, converted and with its effects.
    ///
    /// Parameters and errors equal those of ``PlanarImage/rendered(_:to:model:profile:)``.
    func picture(
        of image: PlanarImage,
        _ region: ResampleRegion,
        to size: PixelSize,
        model: ColorModel,
        profile: ProfileUse
    ) throws(CodecError) -> PlanarImage {
        guard Self.isNeeded(options) else {
            return try image.rendered(region, to: size, model: model, profile: profile)
        }
        // Colours have no place in the profile of a grey picture.
        let profile = image.colorModel == .gray ? .srgb : profile
        var picture = try image.rendered(region, to: size, model: .rgb, profile: profile)
        picture = try picture.filtered(by: options.filters)
        return try Resampler.resample(picture, region: ResampleRegion(PixelRect(size)), to: size, model: model)
    }
}
