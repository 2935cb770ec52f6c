package import Imaging

/// What a job may cost.
package struct PipelineLimits: Hashable, Codable, Sendable {
    /// The most pixels and the longest side of a source, checked before a pixel is decoded.
    package var decode: DecodeLimits
    /// The most pixels of a result.
    package var maxResultPixels: Int

    /// Limits as given.
    package init(decode: DecodeLimits = DecodeLimits(), maxResultPixels: Int = 50_000_000) {
        self.decode = decode
        self.maxResultPixels = maxResultPixels
    }
}
