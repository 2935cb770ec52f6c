import Imaging

extension DecodeLimits {
    /// Small limits: large images take longer and reach no other code.
    static let ofFuzzers = DecodeLimits(maxPixels: 1 << 14, maxSide: 1024, maxBytes: 1 << 25, maxScans: 12)
}
