package import Geometry

extension PlanarImage {
    /// Returns the rotated image, with a background in the uncovered area.
    ///
    /// - Parameters:
    ///   - turn: The rotation.
    ///   - size: The size of the result.
    ///   - background: The fill of the uncovered area and of transparent pixels. `blur` repeats the pixels at the edges
    ///     of the image.
    /// - Returns: A grey or RGB image with the profile of this image; it has alpha only for a transparent background.
    /// - Throws: ``CodecError/outOfMemory`` or ``CodecError/failed(_:)``.
    package func turned(
        _ turn: Rotation,
        to size: PixelSize,
        on background: Background
    ) throws(CodecError) -> PlanarImage {
        precondition(colorModel == .rgb || colorModel == .gray, "planes of one size")
        let colours = try planes.map { (plane) throws(CodecError) in try plane.turned(turn, to: size) }
        var cover = try Self.coverage(of: self.size, turn, in: size)
        if let alpha { cover = try cover.multiplied(by: try alpha.turned(turn, to: size)) }
        guard background == .blur else {
            return try PlanarImage(
                size: size,
                colorModel: colorModel,
                planes: colours,
                alpha: cover,
                iccProfile: iccProfile
            ).laid(on: background, of: size, at: PixelRect(size))
        }
        let continued = PlanarImage(size: size, colorModel: colorModel, planes: colours)
        let fill = try continued.planes(of: .blur, size: size)
        for (plane, below) in zip(colours, fill) { plane.blend(over: below, by: cover) }
        return PlanarImage(size: size, colorModel: colorModel, planes: fill, iccProfile: iccProfile)
    }

    /// Returns the fraction of each result pixel that the rotated image covers; edges are smooth.
    static func coverage(of image: PixelSize, _ turn: Rotation, in size: PixelSize) throws(CodecError) -> Plane {
        let (width, height) = (Double(image.width), Double(image.height))
        let plane = try Plane(unset: size)
        for y in 0..<size.height {
            let start = turn.row(y)
            var (sourceX, sourceY) = (start.x, start.y)
            let row = plane.base + y * plane.bytesPerRow
            for x in 0..<size.width {
                let distance = min(sourceX, width - sourceX, sourceY, height - sourceY)
                row[x] = UInt8((min(max(distance + 0.5, 0), 1) * 255).rounded())
                sourceX += start.stepX
                sourceY += start.stepY
            }
        }
        return plane
    }
}
