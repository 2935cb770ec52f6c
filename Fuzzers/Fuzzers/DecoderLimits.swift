import Imaging

extension DecodeLimits {
    /// Limits for fuzzers.
    ///
    /// They are small, because large images take longer without reaching more code.
    static let ofFuzzers = DecodeLimits(maxPixels: 1 << 14, maxSide: 1024, maxBytes: 1 << 25, maxScans: 12)
}
