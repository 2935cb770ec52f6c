import Imaging

/// What the client of a job may use, besides the service's own limits.
package struct JobTerms: Sendable {
    /// The most pixels of a source, a result, or all frames of an animation; nil for the service's limits.
    package var maxPixels: Int?
    /// Receives the processor time of each attempt to run the job, also of one that failed; called on the worker's thread.
    package var charge: (@Sendable (Duration) -> Void)?
    /// The time until the client may use more processor time; nil while it may.
    ///
    /// For live streams, which send many jobs.
    package var pause: (@Sendable () -> Duration?)?

    /// No limits besides those of the service.
    package init() {}

    /// The service's limits, or lower ones.
    package func limited(_ limits: PipelineLimits) -> PipelineLimits {
        guard let maxPixels else { return limits }
        var limits = limits
        limits.decode.maxPixels = min(limits.decode.maxPixels, maxPixels)
        limits.maxResultPixels = min(limits.maxResultPixels, maxPixels)
        limits.maxExpensivePixels = min(limits.maxExpensivePixels, maxPixels)
        limits.maxAnimationPixels = min(limits.maxAnimationPixels, maxPixels)
        return limits
    }
}
