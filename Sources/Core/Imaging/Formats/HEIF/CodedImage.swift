import CImageCodec
import Geometry

/// The header of an image in a HEIF file, and the conversion of its samples to planes.
///
/// Grey images and 8-bit YCbCr images with BT.601 keep their colour model; all other images become RGB.
struct CodedImage {
    let format: InputFormat
    var info: hr_heif_info
    /// The profile from the boxes; if it is nil, the profile of `info` applies.
    var profile: ICCProfile?

    /// The size before crop and orientation.
    var codedSize: PixelSize { PixelSize(width: Int(info.width), height: Int(info.height)) }

    private var crop: PixelRect {
        PixelRect(x: Int(info.x), y: Int(info.y), width: Int(info.crop_width), height: Int(info.crop_height))
    }

    /// The number of pixels that share a chroma sample; nil for grey.
    var subsampling: ChromaSubsampling? {
        guard info.h_shared > 0 else { return nil }
        return ChromaSubsampling(horizontal: Int(info.h_shared), vertical: Int(info.v_shared))
    }

    private var matrix: hr_matrix { hr_matrix_of(info.matrix, info.primaries) }

    private var orientation: Orientation { Orientation(rawValue: Int(info.orientation)) ?? .up }

    /// The colour model of the image.
    var colorModel: ColorModel {
        guard let subsampling else { return .gray }
        // Chroma samples that the crop would split are enlarged first; only RGB images have alpha.
        let dividesChroma =
            !crop.x.isMultiple(of: subsampling.horizontal) || !crop.y.isMultiple(of: subsampling.vertical)
        return info.has_alpha || dividesChroma || matrix.kind != HR_MATRIX_BT601 ? .rgb : .ycbcr(subsampling)
    }

    /// The header.
    ///
    /// - Throws: ``CodecError/unsupportedFeature(_:_:)`` for an unknown matrix.
    func header() throws(CodecError) -> ImageHeader {
        if subsampling != nil, matrix.kind == HR_MATRIX_UNKNOWN {
            throw .unsupportedFeature(format, "matrix coefficients \(info.matrix)")
        }
        var header = ImageHeader(
            format: format,
            storedSize: crop.size,
            orientation: orientation,
            colorModel: colorModel,
            hasAlpha: info.has_alpha,
            bitDepth: Int(info.depth),
            isProgressive: false,
            costs: Array(repeating: cost, count: 8)
        )
        header.colorDescription = info.colorDescription
        return header
    }

    /// The peak memory of libavif in bytes: the larger of the decoder's memory, which contains all coded samples, and
    /// the planes, which exist twice during a rotation.
    var cost: Int {
        let coded = codedModel
        // Chroma is enlarged plane by plane, so the small plane exists at the same time.
        let planes = bytes(colorModel) + (colorModel == .rgb ? bytes(coded) : 0)
        let turned = orientation == .up ? 0 : bytes(colorModel)
        // The values measured for libavif with dav1d were 1.4 and 2.4; grids and film grain need a second copy of all
        // samples.
        let bytesPerSample = info.depth > 8 ? 6 : 3
        return Self.codecBytes + bytes(coded) * bytesPerSample + max(planes, 2 * turned)
    }

    /// The model of coded samples, which may be subsampled.
    private var codedModel: ColorModel { subsampling.map { ColorModel.ycbcr($0) } ?? .gray }

    /// The memory of planes of a model, and of alpha, before the crop; sides have at most 16 bits, so that nothing
    /// overflows.
    private func bytes(_ model: ColorModel) -> Int {
        let alpha = info.has_alpha ? Plane.bytesPerRow(Int(info.width)) * Int(info.height) : 0
        return (0..<model.planeCount).reduce(alpha) {
            let plane = model.planeSize($1, of: codedSize)
            return $0 + Plane.bytesPerRow(plane.width) * plane.height
        }
    }

    /// The memory of the planes into which tiles are copied, and of the upright image made from them.
    var assembledBytes: Int {
        let copies = crop == PixelRect(codedSize) ? 1 : 2
        let converted = colorModel == .rgb ? bytes(.rgb) : 0
        return copies * bytes(codedModel) + converted + (orientation == .up ? 0 : bytes(colorModel))
    }

    /// Memory of a decoder apart from samples: tables, line buffers, the file's boxes.
    private static let codecBytes = 8 << 20

    // MARK: Samples

    /// Returns the upright image from decoded samples, which may extend beyond its right and lower edges.
    ///
    /// - Parameters:
    ///   - image: The samples.
    ///   - alpha: An alpha plane of the size before the crop; nil to use the alpha of the samples.
    /// - Returns: The image, cropped and rotated by its properties.
    /// - Throws: ``CodecError/outOfMemory``.
    func image(_ image: hr_heif_image, alpha: Plane? = nil) throws(CodecError) -> PlanarImage {
        let samples = [image.planes.0, image.planes.1, image.planes.2]
        var planes: [Plane] = []
        for index in 0..<(subsampling == nil ? 1 : 3) {
            planes.append(try narrowed(samples[index], range(index), part(index)))
        }
        guard info.has_alpha else { return try finished(planes, alpha: nil) }
        if let alpha { return try finished(planes, alpha: try cropped(alpha)) }
        return try finished(planes, alpha: try opacity(image.alpha))
    }

    /// Returns the upright image from 8-bit planes and alpha, all with the size before the crop.
    func image(coded planes: [Plane], alpha: Plane?) throws(CodecError) -> PlanarImage {
        var parts: [Plane] = []
        for (index, plane) in planes.enumerated() {
            let part = part(index)
            parts.append(part == PixelRect(plane.size) ? plane : try plane.copied(part))
        }
        return try finished(parts, alpha: try alpha.map(cropped))
    }

    /// Returns the upright image from the visible parts of planes and the alpha of the crop.
    private func finished(_ parts: [Plane], alpha: Plane?) throws(CodecError) -> PlanarImage {
        let planes = colorModel == .rgb ? try rgb(parts) : parts
        if info.premultiplied, let alpha { planes.unpremultiply(by: alpha) }
        return try PlanarImage(
            size: crop.size,
            colorModel: colorModel,
            planes: planes,
            alpha: alpha?.unlessOpaque,
            iccProfile: iccProfile
        ).oriented(orientation)
    }

    private func cropped(_ alpha: Plane) throws(CodecError) -> Plane {
        crop == PixelRect(alpha.size) ? alpha : try alpha.copied(crop)
    }

    private func range(_ index: Int) -> hr_range {
        let isChroma = index > 0 && matrix.kind != HR_MATRIX_IDENTITY
        return info.full_range ? (isChroma ? HR_FULL_CHROMA : HR_FULL) : (isChroma ? HR_LIMITED_CHROMA : HR_LIMITED)
    }

    /// Returns the visible part of plane `index`, or the whole plane if it is chroma that must first be enlarged.
    private func part(_ index: Int) -> PixelRect {
        guard index > 0, let subsampling else { return crop }
        if colorModel == .rgb, subsampling != .none { return PixelRect(subsampling.chromaSize(of: codedSize)) }
        let size = subsampling.chromaSize(of: crop.size)
        let (x, y) = (crop.x / subsampling.horizontal, crop.y / subsampling.vertical)
        return PixelRect(x: x, y: y, width: size.width, height: size.height)
    }

    private func opacity(_ samples: hr_samples) throws(CodecError) -> Plane {
        guard samples.data != nil else { return try Plane(crop.size, filledWith: 255) }
        return try narrowed(samples, HR_FULL, crop)
    }

    private func narrowed(_ samples: hr_samples, _ range: hr_range, _ part: PixelRect) throws(CodecError) -> Plane {
        let plane = try Plane(unset: part.size)
        var from = samples
        guard from.data != nil, from.width > part.x, from.height > part.y else {
            throw .corrupt(format, "its planes do not match the image size")
        }
        plane.withTarget { hr_narrow(&from, range, Int32(part.x), Int32(part.y), [$0]) }
        return plane
    }

    /// Converts planes to red, green and blue; consumes `planes`.
    private func rgb(_ planes: [Plane]) throws(CodecError) -> [Plane] {
        var full = planes
        if let subsampling, subsampling != .none {
            let region = FractionalRect(crop).divided(
                horizontal: subsampling.horizontal,
                vertical: subsampling.vertical
            )
            for index in 1...2 {
                full[index] = try Resampler.resample(planes[index], region: region, to: crop.size, filter: .linear)
            }
        }
        full.withTargets { hr_matrix_to_rgb(matrix, $0) }
        return full
    }

    /// The colour space; nil for sRGB.
    ///
    /// A profile takes precedence over code points, which then only determine the matrix and the range (ISO/IEC
    /// 23000-22, 7.3.6.4).
    var iccProfile: ICCProfile? {
        if let profile = profile ?? ICCProfile(at: info.icc, count: info.icc_count), profile.describes(colorModel) {
            return profile
        }
        return ICCProfile(info.colorDescription, for: colorModel)
    }
}

#if AVIF || HEIC
extension CodedImage {
    /// Whether tiles of a size start with whole chroma samples.
    func dividesNoChroma(tiles size: PixelSize) -> Bool {
        guard let subsampling else { return true }
        return size.width.isMultiple(of: subsampling.horizontal) && size.height.isMultiple(of: subsampling.vertical)
    }

    /// Planes of 8 bits for the coded samples, with undefined content.
    func codedPlanes() throws(CodecError) -> [Plane] {
        guard let subsampling else { return [try Plane(unset: codedSize)] }
        let chroma = subsampling.chromaSize(of: codedSize)
        return [try Plane(unset: codedSize), try Plane(unset: chroma), try Plane(unset: chroma)]
    }

    /// Converts the samples of a tile to 8 bits.
    ///
    /// - Parameters:
    ///   - tile: The samples.
    ///   - planes: Planes of the whole image. Parts of the tile outside them are ignored.
    ///   - place: The top left pixel of the tile in the image.
    /// - Throws: ``CodecError/corrupt(_:_:)`` for a tile without samples.
    func narrow(_ tile: hr_heif_image, into planes: [Plane], at place: (x: Int, y: Int)) throws(CodecError) {
        for (index, var samples) in [tile.planes.0, tile.planes.1, tile.planes.2].prefix(planes.count).enumerated() {
            guard samples.data != nil else { throw .corrupt(format, "its planes do not match the image size") }
            let shared = index > 0 ? subsampling ?? .none : .none
            let (x, y) = (place.x / shared.horizontal, place.y / shared.vertical)
            let whole = planes[index].size
            guard x < whole.width, y < whole.height else { continue }
            let width = min(Int(samples.width), whole.width - x), height = min(Int(samples.height), whole.height - y)
            let part = planes[index].cropped(to: PixelRect(x: x, y: y, width: width, height: height))
            part.withTarget { hr_narrow(&samples, range(index), 0, 0, [$0]) }
        }
    }
}
#endif

extension hr_heif_limits {
    /// Limits for the boxes of a file.
    init(_ limits: DecodeLimits) {
        self.init(
            max_pixels: Int64(max(1, limits.maxPixels)),
            max_side: Int32(clamping: limits.maxSide),
            max_frames: Int32(clamping: limits.maxFrames)
        )
    }
}
