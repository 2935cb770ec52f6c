/// The quality scale of an encoder, which makes one quality visually equal in all formats.
///
/// Qualities are on libjpeg's scale. At each step, the encoder's value gives the same SSIM as JPEG; it is the median
/// over photographs at three sizes (docs/contributing/image-quality.md). Values in between are interpolated linearly.
struct QualityScale {
    /// Pairs of a quality and the encoder's value, in ascending order of quality.
    private let steps: [(quality: Double, value: Double)]

    init(_ steps: [(quality: Double, value: Double)]) { self.steps = steps }

    /// Returns the encoder's value for a quality, rounded; qualities outside the scale are clamped to its ends.
    func value(for quality: Int) -> Int {
        let quality = Double(quality)
        guard let upper = steps.firstIndex(where: { $0.quality >= quality }) else {
            return Int((steps.last?.value ?? 0).rounded())
        }
        guard upper > 0 else { return Int(steps[0].value.rounded()) }
        let (low, high) = (steps[upper - 1], steps[upper])
        let share = (quality - low.quality) / (high.quality - low.quality)
        return Int((low.value + share * (high.value - low.value)).rounded())
    }
}

/// Finds the best quality for a maximum file size.
///
/// The size grows about exponentially with the quality. The next quality to try is therefore interpolated between the
/// logarithms of known sizes, or otherwise bisected.
struct QualitySearch {
    /// The minimum quality that is tried; below it, images have visible blocks.
    private static let minQuality = 20
    /// The maximum number of encodings of one file: the first encoding, and a bisection of 20 to 100.
    private static let maxEncodings = 8

    let maxBytes: Int

    typealias Found = (bytes: [UInt8], quality: Int)

    /// Encodes at `quality` or, if the file is too large, at the best lower quality that fits.
    ///
    /// - Throws: ``CodecError/tooManyBytes(_:limit:)`` if the file is too large at the lowest quality, and the errors
    ///   of `encode`.
    func best(
        from quality: Int,
        _ encode: (_ quality: Int) throws(CodecError) -> [UInt8]
    ) throws(CodecError) -> Found {
        let first = try encode(quality)
        if first.count <= maxBytes { return (first, quality) }
        guard quality > Self.minQuality else { throw .tooManyBytes(first.count, limit: maxBytes) }
        var tooLarge = (quality: quality, count: first.count)
        var fitting: Found?
        var encodings = 1
        while encodings < Self.maxEncodings, tooLarge.quality - (fitting?.quality ?? Self.minQuality - 1) > 1 {
            // After an interpolation, bisection must still be able to finish: each encoding halves the remaining range.
            let left = tooLarge.quality - (fitting?.quality ?? Self.minQuality - 1) - 1
            let next = next(fitting, tooLarge, bisects: left > 1 << (Self.maxEncodings - encodings - 1))
            let bytes = try encode(next)
            encodings += 1
            if bytes.count <= maxBytes {
                fitting = (bytes, next)
            } else {
                tooLarge = (next, bytes.count)
            }
        }
        guard let fitting else { throw .tooManyBytes(tooLarge.count, limit: maxBytes) }
        return fitting
    }

    /// Returns a quality between the best quality that is known to fit and the lowest quality that is known to be too
    /// large.
    private func next(_ fitting: Found?, _ tooLarge: (quality: Int, count: Int), bisects: Bool) -> Int {
        let lowest = fitting.map { $0.quality + 1 } ?? Self.minQuality
        let highest = tooLarge.quality - 1
        if bisects { return (lowest + highest) / 2 }
        let excess = Self.doublings(from: maxBytes, to: tooLarge.count)
        let known = fitting.map { fitting in
            Self.doublings(from: fitting.bytes.count, to: tooLarge.count)
                / Double(tooLarge.quality - fitting.quality)
        }
        // The file size of photographs doubles between qualities 30 and 75.
        let slope = known ?? 1.0 / 40
        let steps = slope > 0 ? excess / slope : 1
        let guess = Double(tooLarge.quality) - min(max(steps, 1), 100)
        return min(max(Int(guess.rounded(.down)), lowest), highest)
    }

    /// The binary logarithm of a ratio, linear between powers of two, which is accurate enough for a guess.
    private static func doublings(from low: Int, to high: Int) -> Double {
        func logarithm(_ count: Int) -> Double {
            let value = Double(max(1, count))
            return Double(value.exponent) + value.significand - 1
        }
        return logarithm(high) - logarithm(low)
    }
}
