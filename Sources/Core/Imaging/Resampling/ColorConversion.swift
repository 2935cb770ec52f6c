import CImageCodec

/// Converts planes of equal size between colour models.
enum ColorConversion {
    /// Converts luma and chroma with a sample for every pixel to red, green and blue.
    static func rgb(fromYCbCr planes: [Plane]) throws(CodecError) -> [Plane] {
        let results = try [Plane](unset: planes[0].size, count: planes.count)
        try planes.withViews(into: results) { (from, to) throws(CodecError) in
            try check { hr_ycc_to_rgb(from, to, $0) }
        }
        return results
    }

    /// Converts red, green and blue to luma and chroma with a sample for every pixel.
    static func ycbcr(fromRGB planes: [Plane]) throws(CodecError) -> [Plane] {
        let results = try [Plane](unset: planes[0].size, count: planes.count)
        try planes.withViews(into: results) { (from, to) throws(CodecError) in
            try check { hr_rgb_to_ycc(from, to, $0) }
        }
        return results
    }
}

extension PlanarImage {
    /// Returns the luma of this image, with transparent pixels over white.
    package func luma() throws(CodecError) -> Plane {
        let opaque = try printed().flattened()
        guard colorModel == .rgb else { return opaque.planes[0] }
        let result = try Plane(unset: size)
        opaque.planes.withViews(into: [result]) { hr_luma($0, $1) }
        return result
    }

    /// The possible appearances of this image in viewers; the first is over white.
    ///
    /// If every pixel is either opaque or transparent, other views would show nothing new, because the colours of
    /// transparent pixels are removed (``hidingColors()``).
    package var views: [ImageView] {
        guard let alpha, !alpha.isFilled(with: 255) else { return [.overWhite] }
        let uses = alpha.withView { hr_find_alpha_uses([$0]) }
        return uses.translucent ? ImageView.allCases : [.overWhite, .overBlack]
    }

    /// The luma of one view of this image.
    ///
    /// - Throws: ``CodecError/outOfMemory`` or ``CodecError/failed(_:)``.
    package func luma(_ view: ImageView) throws(CodecError) -> Plane {
        guard let alpha, view != .overWhite else { return try luma() }
        if view == .alpha { return alpha }
        let colors = try PlanarImage(size: size, colorModel: colorModel, planes: planes).luma()
        return view == .colors ? colors : try colors.multiplied(by: alpha)
    }

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

    /// Converts a CMYK image to RGB without its profile, as the product of the light that an ink reflects and the light
    /// that black reflects.
    ///
    /// Other images are returned unchanged.
    func printed() throws(CodecError) -> PlanarImage {
        guard colorModel == .cmyk else { return self }
        let light = try planes.prefix(3).map { (ink) throws(CodecError) in try ink.multiplied(by: planes[3]) }
        var image = PlanarImage(size: size, colorModel: .rgb, planes: light, alpha: alpha)
        image.isDamaged = isDamaged
        return image
    }

    /// This image over white, without alpha; the image must be grey, RGB or CMYK if it has alpha.
    package func flattened() throws(CodecError) -> PlanarImage {
        guard let alpha else { return self }
        let flat = try planes.map { (plane) throws(CodecError) in try plane.flattened(by: alpha) }
        return replacing(flat, alpha: nil)
    }
}
