import CImageCodec
package import Geometry
import Synchronization

/// The conversion of pixels to sRGB by an ICC profile.
final class ColorTransform: @unchecked Sendable {
    // @unchecked Sendable: `handle` is written only by `init`, and running it changes nothing.

    private let handle: OpaquePointer
    /// The colour model of the pixels: grey, RGB or CMYK.
    let source: ColorModel
    /// The colour model of the converted pixels.
    var result: ColorModel { source == .gray ? .gray : .rgb }
    /// Whether any colour changes by more than a rounding error; an sRGB profile changes none.
    let changesColors: Bool
    /// Memory in bytes.
    let bytes: Int

    /// Creates the conversion of a profile; nil if the profile is damaged or is for another colour model than `source`.
    init?(_ profile: ICCProfile, source: ColorModel) {
        var handle: OpaquePointer?
        do {
            try attempt { hr_transform_open(profile.bytes, profile.bytes.count, source.space, &handle, $0) }
        } catch {
            hr_transform_close(handle)
            return nil
        }
        guard let handle else { return nil }
        self.handle = handle
        self.source = source
        changesColors = hr_transform_changes(handle)
        bytes = hr_transform_bytes(handle) + profile.bytes.count
    }

    deinit { hr_transform_close(handle) }

    /// Converts an image in the model `source` to sRGB, in the model `result`.
    ///
    /// The output has no profile; alpha is kept.
    ///
    /// - Throws: ``CodecError/outOfMemory`` or ``CodecError/failed(_:)``.
    func converted(_ image: PlanarImage) throws(CodecError) -> PlanarImage {
        precondition(image.colorModel == source, "an image of the profile's colour model")
        let planes = try [Plane](unset: image.size, count: result.planeCount)
        try image.planes.withViews(into: planes) { (from, to) throws(CodecError) in
            try check { hr_transform_run(handle, from, to, $0) }
        }
        return PlanarImage(size: image.size, colorModel: result, planes: planes, alpha: image.alpha)
    }
}

extension ColorModel {
    /// The model in which an image's colours are converted.
    fileprivate var converting: ColorModel { if case .ycbcr = self { .rgb } else { self } }

    fileprivate var space: hr_color_space {
        switch self {
        case .gray: HR_COLOR_GRAY
        case .rgb, .ycbcr: HR_COLOR_RGB
        case .cmyk: HR_COLOR_CMYK
        }
    }
}

/// The most recently used conversions.
///
/// They are cached because creating a conversion takes longer than converting a small image.
///
/// Creating a conversion takes about 4 ms for RGB and 40 ms for CMYK; converting a megapixel takes about 11 ms and 50
/// ms.
private enum ColorTransformCache {
    private struct Entry {
        let profile: ICCProfile
        let model: ColorModel
        /// The conversion; nil if the profile cannot be used.
        let transform: ColorTransform?
        var bytes: Int { transform?.bytes ?? profile.bytes.count }
    }

    private static let maxCount = 16
    private static let maxBytes = 16 << 20

    /// The entries, the most recently used first.
    private static let entries = Mutex<[Entry]>([])

    /// Returns the conversion of pixels of `model` with a profile; nil if the profile cannot be used.
    static func transform(_ profile: ICCProfile, _ model: ColorModel) -> ColorTransform? {
        let known = entries.withLock { entries -> Entry? in
            guard let index = entries.firstIndex(where: { $0.model == model && $0.profile == profile }) else {
                return nil
            }
            let entry = entries.remove(at: index)
            entries.insert(entry, at: 0)
            return entry
        }
        if let known { return known.transform }
        let entry = Entry(profile: profile, model: model, transform: ColorTransform(profile, source: model))
        // A conversion may need much memory if its profile is damaged.
        guard entry.bytes <= maxBytes / 2 else { return entry.transform }
        entries.withLock { entries in
            entries.insert(entry, at: 0)
            while entries.count > maxCount || entries.reduce(0, { $0 + $1.bytes }) > maxBytes { entries.removeLast() }
        }
        return entry.transform
    }
}

extension PlanarImage {
    /// Scales a region of this image, and then converts it to sRGB if `profile` requires it.
    ///
    /// Only the pixels of the result are converted. Colours of transparent pixels do not bleed into other pixels:
    /// colours are multiplied by alpha before scaling, then converted, and then blended over white if `model` has no
    /// alpha. If the profile is damaged or for another colour model, the image is treated as sRGB.
    ///
    /// - Parameters:
    ///   - region: A region in pixels of this image, not empty. It may extend beyond the edges of the image, which is
    ///     mirrored there.
    ///   - size: The size of the result, at least 1 by 1.
    ///   - model: The colour model of the result: grey, RGB or YCbCr.
    ///   - profile: The use of the profile. CMYK is converted in any case, because no result is CMYK.
    /// - Returns: The image, with a profile only if it is kept.
    /// - Throws: ``CodecError/outOfMemory``, or ``CodecError/failed(_:)``, for example for an empty region.
    package func rendered(
        _ region: FractionalRect,
        to size: PixelSize,
        model: ColorModel,
        profile: ProfileUse
    ) throws(CodecError) -> PlanarImage {
        guard let iccProfile, profile == .srgb || colorModel == .cmyk else {
            return try Resampler.resample(self, region: region, to: size, model: model)
        }
        let transform = ColorTransformCache.transform(iccProfile, colorModel.converting)
        guard let transform, transform.changesColors else {
            return try Resampler.resample(self, region: region, to: size, model: model).withoutProfile
        }
        let scaled = try Resampler.resample(self, region: region, to: size, model: transform.source)
        return try transform.converted(scaled).converted(to: model)
    }

    private var withoutProfile: PlanarImage {
        PlanarImage(size: size, colorModel: colorModel, planes: planes, alpha: alpha)
    }
}
