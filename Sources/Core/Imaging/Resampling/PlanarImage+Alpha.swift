import CImageCodec

extension PlanarImage {
    /// Returns this image with white in its transparent pixels, so that a program that drops alpha cannot show hidden
    /// colours.
    ///
    /// - Returns: A copy; the image itself if no pixel is transparent.
    /// - Throws: ``CodecError/outOfMemory``.
    package func hidingColors() throws(CodecError) -> PlanarImage {
        guard let alpha, alpha.withView({ hr_find_alpha_uses([$0]) }).transparent else { return self }
        let copies = try planes.map { (plane) throws(CodecError) in
            let copy = try Plane(unset: plane.size)
            [plane, alpha].withViews(into: [copy]) { from, to in hr_hide([from[0]], [from[1]], to) }
            return copy
        }
        return replacing(copies, alpha: alpha)
    }

    /// This image over white, without alpha; the image must be grey, RGB or CMYK if it has alpha.
    package func flattened() throws(CodecError) -> PlanarImage {
        guard let alpha else { return self }
        let flat = try planes.map { (plane) throws(CodecError) in try plane.flattened(by: alpha) }
        return replacing(flat, alpha: nil)
    }

    /// Returns the four planes of an RGB image: red, green, blue and alpha; transparent pixels are white.
    ///
    /// - Throws: ``CodecError/outOfMemory``.
    func withAlphaPlane() throws(CodecError) -> [Plane] {
        if let alpha { return try hidingColors().planes + [alpha] }
        return planes + [try Plane(size, filledWith: 255)]
    }
}
