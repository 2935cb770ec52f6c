import Imaging

extension DecodeLimits {
    /// Small limits, because large images take longer and do not reach more code.
    static let ofFuzzers = DecodeLimits(maxPixels: 1 << 14, maxSide: 1024, maxBytes: 1 << 25, maxScans: 12)
}
