import Geometry

extension PlanarImage {
    /// Returns the upright image.
    package func oriented(_ orientation: Orientation) throws(CodecError) -> PlanarImage {
        guard orientation != .up else { return self }
        var turned = try planes.map { (plane) throws(CodecError) in try plane.oriented(orientation) }
        var model = colorModel
        if case .ycbcr(let subsampling) = colorModel {
            let upright = orientation.swapsSides ? subsampling.transposed : subsampling
            model = .ycbcr(upright)
            for index in 1...2 {
                turned[index] = try realigned(turned[index], subsampling: upright, orientation: orientation)
            }
        }
        var upright = PlanarImage(
            size: orientation.upright(size),
            colorModel: model,
            planes: turned,
            alpha: try alpha?.oriented(orientation),
            iccProfile: iccProfile
        )
        upright.isDamaged = isDamaged
        return upright
    }

    /// Moves chroma samples onto the grid of the oriented image.
    ///
    /// If a side is not a multiple of the subsampling, the last chroma sample extends beyond the edge. In the reversed
    /// image, this sample comes first and displaces all other samples, so that colours would bleed by up to a pixel.
    private func realigned(
        _ chroma: Plane,
        subsampling: ChromaSubsampling,
        orientation: Orientation
    ) throws(CodecError) -> Plane {
        let upright = orientation.upright(size)
        let across = chroma.size.width * subsampling.horizontal - upright.width
        let down = chroma.size.height * subsampling.vertical - upright.height
        let region = FractionalRect(
            x: orientation.reversesColumns ? Double(across) / Double(subsampling.horizontal) : 0,
            y: orientation.reversesRows ? Double(down) / Double(subsampling.vertical) : 0,
            width: Double(chroma.size.width),
            height: Double(chroma.size.height)
        )
        return try Resampler.resample(chroma, region: region, to: chroma.size, filter: .linear)
    }
}
