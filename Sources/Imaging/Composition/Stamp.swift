import CImageCodec
package import Geometry

extension PlanarImage {
    /// This RGB picture with a smaller one laid on a part of it.
    ///
    /// - Parameters:
    ///   - stamp: An RGB picture, with or without alpha.
    ///   - opacity: Its opacity, 0…1, multiplied with its alpha.
    ///   - place: The part, inside of this picture and of the stamp's size.
    /// - Returns: An RGB picture; it has alpha if this one does.
    /// - Throws: ``CodecError/outOfMemory``.
    package func stamped(
        with stamp: PlanarImage,
        opacity: Double,
        at place: PixelRect
    ) throws(CodecError) -> PlanarImage {
        precondition(colorModel == .rgb && stamp.colorModel == .rgb, "planes of one size")
        precondition(place.size == stamp.size && PixelRect(size).contains(place), "the stamp lies inside")
        let cover = try Plane(stamp.size) { x, y in
            UInt8((Double(stamp.alpha?[x: x, y: y] ?? 255) * min(max(opacity, 0), 1)).rounded())
        }
        let below = try planes.map { (plane) throws(CodecError) in try plane.copied() }
        // On transparent pixels the colour is that of the stamp: the colours below count by how much of them shows.
        let weights: Plane
        if let alpha {
            weights = try Plane(stamp.size) { x, y in
                let above = Int(cover[x: x, y: y])
                let rest = Int(alpha[x: place.x + x, y: place.y + y]) * (255 - above) / 255
                return above == 0 ? 0 : UInt8((above * 255 + (above + rest) / 2) / (above + rest))
            }
        } else {
            weights = cover
        }
        for (plane, under) in zip(stamp.planes, below) {
            hr_blend([plane.view], [weights.view], [under.view(of: place)])
        }
        guard let alpha else { return replacing(below, alpha: nil) }
        let result = try alpha.copied()
        let full = try Plane(stamp.size, filledWith: 255)
        hr_blend([full.view], [cover.view], [result.view(of: place)])
        return replacing(below, alpha: result)
    }
}
