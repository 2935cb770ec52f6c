import Geometry

extension FractionalRect {
    /// The covered pixels, if the rectangle covers only whole ones up to rounding errors.
    var wholePixels: PixelRect? {
        let near = [x, y, width, height].map { $0.rounded() }
        let exact = zip(near, [x, y, width, height]).allSatisfy { abs($0 - $1) < 1e-6 }
        guard exact, near.allSatisfy({ abs($0) < 0x1p31 }), near[2] >= 1, near[3] >= 1 else { return nil }
        return PixelRect(x: Int(near[0]), y: Int(near[1]), width: Int(near[2]), height: Int(near[3]))
    }

    /// The same rectangle in units of samples that each cover `horizontal` by `vertical` pixels.
    func divided(horizontal: Int, vertical: Int) -> FractionalRect {
        let (across, down) = (Double(horizontal), Double(vertical))
        return FractionalRect(x: x / across, y: y / down, width: width / across, height: height / down)
    }
}
