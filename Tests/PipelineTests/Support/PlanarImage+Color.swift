import Geometry
import Imaging

extension PlanarImage {
    /// Red, green, blue and, if the image has it, alpha of a pixel, 0…255.
    func color(_ x: Int, _ y: Int) throws -> [Int] {
        let rgb = try Resampler.resample(self, region: FractionalRect(PixelRect(size)), to: size, model: .rgb)
        return rgb.planes.map { Int($0[x: x, y: y]) }
    }
}
