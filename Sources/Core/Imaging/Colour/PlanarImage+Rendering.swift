package import Geometry

extension PlanarImage {
    /// Scales a region of this image, and then converts it to sRGB if `profile` requires it.
    ///
    /// Only the pixels of the result are converted. Colours of transparent pixels do not bleed into other pixels:
    /// colours are multiplied by alpha before scaling, then converted, and then blended over white if `model` has no
    /// alpha. If the profile is damaged or for another colour model, the image is treated as sRGB.
    ///
    /// - Parameters:
    ///   - region: A region in pixels of this image, not empty. It may extend beyond the edges of the image, which is
    ///     mirrored there.
    ///   - size: The size of the result, at least 1 by 1.
    ///   - model: The colour model of the result: grey, RGB or YCbCr.
    ///   - profile: The use of the profile. CMYK is converted in any case, because no result is CMYK.
    /// - Returns: The image, with a profile only if it is kept.
    /// - Throws: ``CodecError/outOfMemory``, or ``CodecError/failed(_:)``, for example for an empty region.
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
        return try transform.converted(scaled).converted(to: model)
    }

    private var withoutProfile: PlanarImage {
        PlanarImage(size: size, colorModel: colorModel, planes: planes, alpha: alpha)
    }
}

extension ColorModel {
    /// The model in which an image's colours are converted.
    fileprivate var converting: ColorModel { if case .ycbcr = self { .rgb } else { self } }
}
