package import Geometry

extension RawFrame {
    /// Red, green and blue of a part of the frame, scaled to a size; luma alone of a grey frame.
    ///
    /// - Parameters:
    ///   - region: A part of the frame.
    ///   - size: The size of the result, at least 1 by 1.
    /// - Returns: Planes of eight bits, all of the size of the result.
    /// - Throws: ``CodecError/outOfMemory`` or ``CodecError/failed(_:)``.
    package func colors(in region: PixelRect, scaledTo size: PixelSize) throws(CodecError) -> [Plane] {
        let picture = try picture()
        let part = FractionalRect(region)
        guard let subsampling = layout.subsampling else {
            return [try Resampler.resample(picture.planes[0], region: part, to: size, filter: .linear)]
        }
        let chroma = part.divided(horizontal: subsampling.horizontal, vertical: subsampling.vertical)
        var planes: [Plane] = []
        for (index, plane) in picture.planes.enumerated() {
            planes.append(
                try Resampler.resample(plane, region: index == 0 ? part : chroma, to: size, filter: .linear)
            )
        }
        let scaled = PlanarImage(size: size, colorModel: .ycbcr(.none), planes: planes)
        return try Resampler.resample(scaled, region: FractionalRect(PixelRect(size)), to: size, model: .rgb).planes
    }
}
