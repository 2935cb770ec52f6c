package import Geometry

/// A part of a picture with fractional coordinates: pixel 0 spans 0 to 1, y grows downwards.
package struct ResampleRegion: Hashable, Sendable {
    /// The left edge.
    package var x: Double
    /// The top edge.
    package var y: Double
    /// Pixels across.
    package var width: Double
    /// Pixels down.
    package var height: Double

    /// A region whose top left corner is (`x`, `y`).
    package init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The region that covers whole pixels.
    package init(_ rect: PixelRect) {
        self.init(x: Double(rect.x), y: Double(rect.y), width: Double(rect.width), height: Double(rect.height))
    }

    /// The covered pixels, if the region covers only whole ones up to rounding errors.
    var wholePixels: PixelRect? {
        let near = [x, y, width, height].map { $0.rounded() }
        let exact = zip(near, [x, y, width, height]).allSatisfy { abs($0 - $1) < 1e-6 }
        guard exact, near.allSatisfy({ abs($0) < 0x1p31 }), near[2] >= 1, near[3] >= 1 else { return nil }
        return PixelRect(x: Int(near[0]), y: Int(near[1]), width: Int(near[2]), height: Int(near[3]))
    }

    /// The same region in units of samples that each cover `horizontal` by `vertical` pixels.
    func divided(horizontal: Int, vertical: Int) -> ResampleRegion {
        let (across, down) = (Double(horizontal), Double(vertical))
        return ResampleRegion(x: x / across, y: y / down, width: width / across, height: height / down)
    }
}
