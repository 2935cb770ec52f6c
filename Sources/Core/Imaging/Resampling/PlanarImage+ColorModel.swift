import Geometry

extension PlanarImage {
    /// Converts a CMYK image to RGB without its profile, as the product of the light that an ink reflects and the light
    /// that black reflects.
    ///
    /// Other images are returned unchanged.
    func printed() throws(CodecError) -> PlanarImage {
        guard colorModel == .cmyk else { return self }
        let light = try planes.prefix(3).map { (ink) throws(CodecError) in try ink.multiplied(by: planes[3]) }
        var image = PlanarImage(size: size, colorModel: .rgb, planes: light, alpha: alpha)
        image.isDamaged = isDamaged
        return image
    }

    /// This image in another colour model, at the same size, converted like
    /// ``Resampler/resample(_:region:to:model:filter:)``.
    package func converted(to model: ColorModel) throws(CodecError) -> PlanarImage {
        try Resampler.resample(self, region: FractionalRect(PixelRect(size)), to: size, model: model)
    }
}
