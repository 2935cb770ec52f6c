package import Geometry

extension Consensus {
    /// Returns the consensus, converted from an image of one size to the same image at another size.
    package func scaled(from size: PixelSize, to other: PixelSize) -> Consensus {
        let acrossScale = Double(other.width) / Double(size.width)
        let downScale = Double(other.height) / Double(size.height)
        var scaled = self
        scaled.centreX *= acrossScale
        scaled.centreY *= downScale
        scaled.side *= (acrossScale * downScale).squareRoot()
        return scaled
    }
}
