import CImageCodec

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
}
