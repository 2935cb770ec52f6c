import Geometry

extension PlanarImage {
    /// This picture with transparent corners, cut along quarters of an ellipse.
    ///
    /// A pixel on the edge is as opaque as the share of it inside, up to about a twentieth: the distance of its middle
    /// from the edge is the value of the ellipse's equation divided by the length of its gradient (Taubin 1994).
    ///
    /// - Parameters:
    ///   - across: The radius along the columns, at most half of the width.
    ///   - down: The radius along the rows, at most half of the height.
    /// - Returns: A picture of the same model, which must be grey or RGB, with alpha.
    /// - Throws: ``CodecError/outOfMemory``.
    package func roundedOff(across: Double, down: Double) throws(CodecError) -> PlanarImage {
        precondition(colorModel == .rgb || colorModel == .gray, "only grey and RGB pictures have alpha")
        let corners = RoundedCorners(size: size, across: across, down: down)
        let cover = try Plane(size) { x, y in corners.coverage(x, y) }
        return replacing(planes, alpha: try alpha?.multiplied(by: cover) ?? cover)
    }
}

/// The shape of a picture whose corners are cut along quarters of an ellipse.
struct RoundedCorners {
    private let size: PixelSize
    private let across: Double
    private let down: Double

    init(size: PixelSize, across: Double, down: Double) {
        self.size = size
        self.across = min(max(across, 0), Double(size.width) / 2)
        self.down = min(max(down, 0), Double(size.height) / 2)
    }

    /// How much of a pixel is inside, 0…255.
    func coverage(_ x: Int, _ y: Int) -> UInt8 {
        // Distances of the pixel's middle from the centre of the nearest corner's ellipse, positive towards the corner.
        let right = abs(Double(x) + 0.5 - Double(size.width) / 2) - (Double(size.width) / 2 - across)
        let below = abs(Double(y) + 0.5 - Double(size.height) / 2) - (Double(size.height) / 2 - down)
        guard right > 0, below > 0, across > 0, down > 0 else { return 255 }
        let (u, v) = (right / across, below / down)
        let slope = 2 * ((u / across) * (u / across) + (v / down) * (v / down)).squareRoot()
        let distance = (u * u + v * v - 1) / slope
        return UInt8((min(max(0.5 - distance, 0), 1) * 255).rounded())
    }
}
