import Geometry
import Imaging

extension PlanarImage {
    /// Returns the planes of a region as network input; colours are converted after scaling, when there are fewer
    /// pixels.
    func networkInput(_ region: FractionalRect, to size: PixelSize) throws(CodecError) -> [Plane] {
        let model: ColorModel = colorModel == .gray ? .gray : .rgb
        return try Resampler.resample(self, region: region, to: size, model: model, filter: .linear).planes
    }
}
