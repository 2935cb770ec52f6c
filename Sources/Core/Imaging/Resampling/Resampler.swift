import CImageCodec
package import Geometry

/// Crops, scales and converts images, with zimg.
///
/// Planes are scaled one by one, and colours are converted at the smaller of the two sizes. A graph of zimg could do
/// both at once, but it requires sides that are multiples of the subsampling, and most crops have odd sides.
package enum Resampler {
    /// Resampling filters; each is widened when shrinking, to prevent aliasing.
    package enum Filter: Sendable {
        /// Lanczos with three lobes: the highest detail when shrinking.
        ///
        /// It overshoots visibly when enlarging.
        case lanczos
        /// Cubic, Catmull-Rom: sharper than linear, with less overshoot than Lanczos.
        ///
        /// For enlarging.
        case cubic
        /// Linear: never overshoots, and is prepared in half the time.
        ///
        /// For chroma, as in libjpeg and browsers.
        case linear
        /// Cubic, B-spline: blurs, without edges or overshoot at high magnification.
        case spline
    }

    /// Scales a region of an image.
    ///
    /// If the region covers whole pixels and keeps its size, samples are copied or shared instead of computed. Colours
    /// of transparent pixels do not bleed into other pixels. An image converted to YCbCr, or from colours to grey, is
    /// blended over white and loses its alpha.
    ///
    /// - Parameters:
    ///   - image: An upright image.
    ///   - region: A region in pixels of `image`; the image is mirrored outside its edges.
    ///   - size: The size of the result, at least 1 by 1.
    ///   - model: The colour model of the result.
    ///   - filter: The filter; nil for the filter with the best visual result: Lanczos if a side shrinks, otherwise
    ///     cubic.
    /// - Returns: The image; it shares unchanged planes with `image`.
    /// - Throws: ``CodecError/outOfMemory`` or ``CodecError/failed(_:)``.
    package static func resample(
        _ image: PlanarImage,
        region: FractionalRect,
        to size: PixelSize,
        model: ColorModel,
        filter: Filter? = nil
    ) throws(CodecError) -> PlanarImage {
        if image.colorModel == .cmyk, model != .cmyk {
            return try resample(image.printed(), region: region, to: size, model: model, filter: filter)
        }
        if case .ycbcr(let subsampling) = image.colorModel {
            let luma = try resample(image.planes[0], region: region, to: size, filter: filter)
            switch model {
            case .gray:
                return PlanarImage(size: size, colorModel: .gray, planes: [luma], iccProfile: image.iccProfile)
            case .rgb:
                let chroma = try resampleChroma(image, subsampling, region: region, of: size, to: .none, filter)
                let planes = try ColorConversion.rgb(fromYCbCr: [luma] + chroma)
                return PlanarImage(size: size, colorModel: .rgb, planes: planes, iccProfile: image.iccProfile)
            case .ycbcr(let wanted):
                let chroma = try resampleChroma(image, subsampling, region: region, of: size, to: wanted, filter)
                return PlanarImage(size: size, colorModel: model, planes: [luma] + chroma, iccProfile: image.iccProfile)
            case .cmyk:
                throw .failed("only CMYK images have inks")
            }
        }
        let scaled = try resampleWithAlpha(image, region: region, to: size, filter: filter)
        return try scaled.remodelled(as: model)
    }

    /// Scales a region of one plane, for example luma.
    ///
    /// By default, the filter is Lanczos if a side shrinks, otherwise cubic.
    ///
    /// Other parameters and errors are the same as for images.
    package static func resample(
        _ plane: Plane,
        region: FractionalRect,
        to size: PixelSize,
        filter: Filter? = nil
    ) throws(CodecError) -> Plane {
        try resample([plane], region: region, to: size, filter: filter ?? region.filter(to: size, enlarging: .cubic))[0]
    }

    /// Scales planes of one size with the same zimg graph.
    private static func resample(
        _ planes: [Plane],
        region: FractionalRect,
        to size: PixelSize,
        filter: Filter
    ) throws(CodecError) -> [Plane] {
        if let rect = region.wholePixels, rect.size == size, PixelRect(planes[0].size).contains(rect) {
            if size == planes[0].size { return planes }
            return planes.map { $0.cropped(to: rect) }
        }
        let results = try [Plane](unset: size, count: planes.count)
        try region.check()
        try planes.withViews(into: results) { (from, to) throws(CodecError) in
            try check { hr_resample(from, to, Int32(from.count), region.c, filter.c, $0) }
        }
        return results
    }

    private static func resampleWithAlpha(
        _ image: PlanarImage,
        region: FractionalRect,
        to size: PixelSize,
        filter: Filter?
    ) throws(CodecError) -> PlanarImage {
        let filter = filter ?? region.filter(to: size, enlarging: .cubic)
        let isCopy = region.wholePixels?.size == size
        var planes = image.planes
        var alpha = image.alpha
        if let opacity = image.alpha, !isCopy {
            let from = planes + [opacity]
            let to = try [Plane](unset: size, count: from.count)
            try region.check()
            try from.withViews(into: to) { (from, to) throws(CodecError) in
                try check { hr_resample_alpha(from, to, Int32(from.count - 1), region.c, filter.c, $0) }
            }
            planes = Array(to.dropLast())
            alpha = to.last
        } else {
            planes = try resample(planes, region: region, to: size, filter: filter)
            alpha = try alpha.map { (plane) throws(CodecError) in
                try resample(plane, region: region, to: size, filter: filter)
            }
        }
        let profile = image.iccProfile
        return PlanarImage(size: size, colorModel: image.colorModel, planes: planes, alpha: alpha, iccProfile: profile)
    }

    /// Scales both chroma planes to the chroma size of an image of `size` with the subsampling `wanted`.
    private static func resampleChroma(
        _ image: PlanarImage,
        _ subsampling: ChromaSubsampling,
        region: FractionalRect,
        of size: PixelSize,
        to wanted: ChromaSubsampling,
        _ filter: Filter?
    ) throws(CodecError) -> [Plane] {
        let chroma = wanted.chromaSize(of: size)
        var covered = region
        // The last samples may extend over the edge of the image.
        covered.width *= Double(chroma.width * wanted.horizontal) / Double(size.width)
        covered.height *= Double(chroma.height * wanted.vertical) / Double(size.height)
        let source = covered.divided(horizontal: subsampling.horizontal, vertical: subsampling.vertical)
        let planes = Array(image.planes.dropFirst())
        let best = filter ?? source.filter(to: chroma, enlarging: .linear)
        return try resample(planes, region: source, to: chroma, filter: best)
    }

    // MARK: Samples of two bytes

    /// Scales a region of a plane with samples of two bytes, which use 9 to 16 bits.
    ///
    /// Plane widths are in bytes; the region and the size are in samples.
    ///
    /// - Throws: ``CodecError/outOfMemory`` or ``CodecError/failed(_:)``.
    static func resample(
        wide plane: Plane,
        depth: Int,
        region: FractionalRect,
        to size: PixelSize
    ) throws(CodecError) -> Plane {
        if let rect = region.wholePixels, rect.size == size {
            let bytes = PixelRect(x: 2 * rect.x, y: rect.y, width: 2 * rect.width, height: rect.height)
            if PixelRect(plane.size).contains(bytes) { return plane.cropped(to: bytes) }
        }
        try region.check()
        let result = try Plane(unset: PixelSize(width: 2 * size.width, height: size.height))
        let filter = region.filter(to: size, enlarging: .cubic)
        try [plane].withViews(into: [result]) { (from, to) throws(CodecError) in
            var (from, to) = (from[0], to[0])
            from.width /= 2
            to.width /= 2
            try check { hr_resample_wide(&from, &to, Int32(depth), region.c, filter.c, $0) }
        }
        return result
    }
}

extension PlanarImage {
    /// This grey or RGB image in another colour model.
    fileprivate func remodelled(as model: ColorModel) throws(CodecError) -> PlanarImage {
        if model == colorModel { return self }
        switch model {
        case .cmyk:
            throw .failed("only CMYK images have inks")
        case .gray:
            return PlanarImage(size: size, colorModel: .gray, planes: [try luma()])
        case .rgb:
            let planes = [planes[0], planes[0], planes[0]]
            return PlanarImage(size: size, colorModel: .rgb, planes: planes, alpha: alpha)
        case .ycbcr(let subsampling) where colorModel == .gray:
            let neutral = try Plane(subsampling.chromaSize(of: size), filledWith: 128)
            return PlanarImage(size: size, colorModel: model, planes: [try flattened().planes[0], neutral, neutral])
        case .ycbcr:
            let planes = try ColorConversion.ycbcr(fromRGB: try flattened().planes)
            let full = PlanarImage(size: size, colorModel: .ycbcr(.none), planes: planes, iccProfile: iccProfile)
            return try full.converted(to: model)
        }
    }
}

extension FractionalRect {
    /// Lanczos if a side shrinks, otherwise `enlarging`.
    fileprivate func filter(to size: PixelSize, enlarging: Resampler.Filter) -> Resampler.Filter {
        width > Double(size.width) || height > Double(size.height) ? .lanczos : enlarging
    }

    /// Validates the region; zimg interprets NaN as the whole plane.
    fileprivate func check() throws(CodecError) {
        guard [x, y, width, height].allSatisfy({ abs($0) < 0x1p31 }), width > 0, height > 0 else {
            throw .failed("invalid region: \(self)")
        }
    }

    fileprivate var c: hr_region { hr_region(x: x, y: y, width: width, height: height) }
}

extension Resampler.Filter {
    fileprivate var c: hr_filter {
        switch self {
        case .lanczos: HR_FILTER_LANCZOS
        case .linear: HR_FILTER_BILINEAR
        case .cubic: HR_FILTER_BICUBIC
        case .spline: HR_FILTER_SPLINE
        }
    }
}

extension FractionalRect {
    /// The covered pixels, if the rectangle covers only whole pixels, apart from rounding errors.
    fileprivate var wholePixels: PixelRect? {
        let near = [x, y, width, height].map { $0.rounded() }
        let exact = zip(near, [x, y, width, height]).allSatisfy { abs($0 - $1) < 1e-6 }
        guard exact, near.allSatisfy({ abs($0) < 0x1p31 }), near[2] >= 1, near[3] >= 1 else { return nil }
        return PixelRect(x: Int(near[0]), y: Int(near[1]), width: Int(near[2]), height: Int(near[3]))
    }
}
