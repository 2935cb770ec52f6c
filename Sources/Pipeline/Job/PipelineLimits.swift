package import Imaging

/// Limits on the cost of a job.
package struct PipelineLimits: Hashable, Codable, Sendable {
    /// The largest area and the longest side of a source, checked before pixels are decoded.
    package var decode: DecodeLimits
    /// The largest area of a result, in pixels.
    package var maxResultPixels: Int
    /// The largest area of a result in an expensive format, in pixels; see ``ImageFormat/isExpensive``.
    package var maxExpensivePixels: Int

    /// Creates limits.
    package init(
        decode: DecodeLimits = DecodeLimits(),
        maxResultPixels: Int = 50_000_000,
        maxExpensivePixels: Int = .max
    ) {
        self.decode = decode
        self.maxResultPixels = maxResultPixels
        self.maxExpensivePixels = maxExpensivePixels
    }
}
