package import Imaging

/// Limits on the cost of a job.
package struct PipelineLimits: Hashable, Codable, Sendable {
    /// The largest area and the longest side of a source, checked before pixels are decoded.
    package var decode: DecodeLimits
    /// The largest area of a result, in pixels.
    package var maxResultPixels: Int
    /// The largest area of a result in an expensive format, in pixels; see ``OutputFormat/isExpensive``.
    package var maxExpensivePixels: Int
    /// The most frames of an animation; of a longer one the result shows the first image.
    package var maxFrames: Int
    /// The most pixels of all frames of an animation together, before and after scaling; of a larger one the result
    /// shows the first image.
    package var maxAnimationPixels: Int
    /// The most time of a job from the beginning of its work; nil sets no limit.
    package var maxTime: Duration?

    /// Limits whose defaults allow images of cameras and animations of 50 megapixels.
    ///
    /// - Parameters:
    ///   - decode: Limits of each source, checked before pixels are decoded.
    ///   - maxResultPixels: The largest area of a result.
    ///   - maxExpensivePixels: The largest area of a result in an expensive format (``OutputFormat/isExpensive``).
    ///   - maxFrames: The most frames of an animation; of a longer one the result shows the first image.
    ///   - maxAnimationPixels: The most pixels of all frames together, before and after scaling.
    ///   - maxTime: The most time of a job from the beginning of its work; nil sets no limit.
    package init(
        decode: DecodeLimits = DecodeLimits(),
        maxResultPixels: Int = 50_000_000,
        maxExpensivePixels: Int = .max,
        maxFrames: Int = 1000,
        maxAnimationPixels: Int = 50_000_000,
        maxTime: Duration? = nil
    ) {
        self.decode = decode
        self.maxResultPixels = maxResultPixels
        self.maxExpensivePixels = maxExpensivePixels
        self.maxFrames = maxFrames
        self.maxAnimationPixels = maxAnimationPixels
        self.maxTime = maxTime
    }

    /// Whether all frames of an animation may be decoded.
    package func allows(_ animation: AnimationInfo) -> Bool {
        animation.frames <= maxFrames && animation.pixels <= maxAnimationPixels
    }
}
