import Geometry

extension PlanarImage {
    /// This picture turned upright.
    package func oriented(_ orientation: Orientation) throws(CodecError) -> PlanarImage {
        guard orientation != .up else { return self }
        var turned: [Plane] = []
        for plane in planes {
            turned.append(try plane.oriented(orientation))
        }
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

    /// Moves chroma samples onto the grid of the oriented picture.
    ///
    /// If a side is not a multiple of the subsampling, the last chroma sample extends over the edge. In the reversed
    /// picture it comes first, and all samples are displaced by the excess: colours would bleed by up to a pixel.
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
