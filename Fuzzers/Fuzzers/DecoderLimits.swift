import ImageCodec

extension DecodeLimits {
    /// Small ones: a fuzzer looks at many pictures, and large ones have no other code.
    static let ofFuzzers = DecodeLimits(maxPixels: 1 << 14, maxSide: 1024, maxBytes: 1 << 21, maxScans: 12)
}
