package import Geometry

extension PlanarImage {
    /// A region of this picture, scaled, and then converted to sRGB if that is asked for.
    ///
    /// Only the pixels of the result are converted. Transparent pixels do not bleed into others: colours are scaled by
    /// their alpha, then converted, then blended over white if `model` has no alpha. A profile that is damaged or of
    /// another colour model is ignored, as if the picture were in sRGB.
    ///
    /// - Parameters:
    ///   - region: A region in pixels of this picture.
    ///   - size: The size of the result, at least 1 by 1.
    ///   - model: The colour model of the result: grey, RGB or YCbCr.
    ///   - profile: The use of the profile. CMYK is converted in any case, because no result is CMYK.
    /// - Returns: The picture, with a profile only if it is kept.
    /// - Throws: ``CodecError/outOfMemory`` or ``CodecError/failed(_:)``.
    package func rendered(
        _ region: FractionalRect,
        to size: PixelSize,
        model: ColorModel,
        profile: ProfileUse
    ) throws(CodecError) -> PlanarImage {
        guard let iccProfile, profile == .srgb || colorModel == .cmyk else {
            return try Resampler.resample(self, region: region, to: size, model: model)
        }
        let transform = ColorTransformCache.transform(iccProfile, colorModel.converting)
        guard let transform, transform.changesColors else {
            return try Resampler.resample(self, region: region, to: size, model: model).withoutProfile
        }
        let scaled = try Resampler.resample(self, region: region, to: size, model: transform.source)
        let converted = try transform.converted(scaled)
        return try Resampler.resample(converted, region: FractionalRect(PixelRect(size)), to: size, model: model)
    }

    private var withoutProfile: PlanarImage {
        PlanarImage(size: size, colorModel: colorModel, planes: planes, alpha: alpha)
    }
}
