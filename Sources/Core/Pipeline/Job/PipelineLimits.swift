package import Imaging

/// Limits on the cost of a job.
package struct PipelineLimits: Hashable, Codable, Sendable {
    /// The maximum area and the maximum side of a source, checked before pixels are decoded.
    package var decode: DecodeLimits
    /// The maximum area of a result, in pixels.
    package var maxResultPixels: Int
    /// The maximum area of a result in an expensive format, in pixels; see ``OutputFormat/isExpensive``.
    package var maxExpensivePixels: Int
    /// The maximum number of frames of an animation; the result of a longer animation shows the first image.
    package var maxFrames: Int
    /// The maximum number of pixels of all frames of an animation together, before and after scaling.
    ///
    /// The result of a larger animation shows the first image.
    package var maxAnimationPixels: Int
    /// The maximum memory of a job in bytes.
    ///
    /// If no format is requested, formats whose encoder would exceed this memory are not chosen. If a job exceeds it
    /// with every format, the budget of the workers rejects the job.
    package var maxBytes = Int.max
    /// The maximum time of a job from the start of its work; nil for no limit.
    package var maxTime: Duration?

    /// Creates limits; the defaults allow camera images and animations of 50 megapixels.
    ///
    /// - Parameters:
    ///   - decode: The limits of each source, checked before pixels are decoded.
    ///   - maxResultPixels: The maximum area of a result.
    ///   - maxExpensivePixels: The maximum area of a result in an expensive format (``OutputFormat/isExpensive``).
    ///   - maxFrames: The maximum number of frames of an animation; the result of a longer animation shows the first
    ///     image.
    ///   - maxAnimationPixels: The maximum number of pixels of all frames together, before and after scaling.
    ///   - maxTime: The maximum time of a job from the start of its work; nil for no limit.
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
