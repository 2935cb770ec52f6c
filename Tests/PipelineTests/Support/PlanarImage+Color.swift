import Geometry
import Imaging

extension PlanarImage {
    /// The red, green and blue of a pixel and, if the image has it, the alpha, from 0 to 255.
    func color(_ x: Int, _ y: Int) throws -> [Int] {
        let rgb = try Resampler.resample(self, region: FractionalRect(PixelRect(size)), to: size, model: .rgb)
        return rgb.planes.map { Int($0[x: x, y: y]) }
    }
}
