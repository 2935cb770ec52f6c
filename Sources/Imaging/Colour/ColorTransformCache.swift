import Synchronization

/// The conversions that were used last, because their construction takes longer than the conversion of a small picture.
///
/// A conversion of RGB takes about 4 ms to construct, one of CMYK 40 ms; a megapixel takes about 11 and 50 ms.
enum ColorTransformCache {
    private struct Entry {
        let profile: ICCProfile
        let model: ColorModel
        /// Nil for a profile that cannot be used.
        let transform: ColorTransform?
        var bytes: Int { transform?.bytes ?? profile.bytes.count }
    }

    static let maxCount = 16
    static let maxBytes = 16 << 20

    /// The most recently used first.
    private static let entries = Mutex<[Entry]>([])

    /// The conversion of pixels of `model` by a profile; nil if the profile cannot be used.
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
        // The conversion of a damaged profile may take much memory.
        guard entry.bytes <= maxBytes / 2 else { return entry.transform }
        entries.withLock { entries in
            entries.insert(entry, at: 0)
            while entries.count > maxCount || entries.reduce(0, { $0 + $1.bytes }) > maxBytes { entries.removeLast() }
        }
        return entry.transform
    }
}
