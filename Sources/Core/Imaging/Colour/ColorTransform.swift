import CImageCodec
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
enum ColorTransformCache {
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
