package import Admission
import Imaging

/// The limits and the accounting of one client, in addition to the service's limits.
package struct JobLimits: Sendable {
    /// The client of the job, for queues and budgets; nil for an unknown client.
    package var client: Client?
    /// The maximum number of pixels of a source, a result, or all frames of an animation; nil for the service's limits.
    package var maxPixels: Int?
    /// A closure that receives the processor time of each attempt to run the job, including failed attempts.
    ///
    /// It is called on the worker's thread.
    package var charge: (@Sendable (Duration) -> Void)?
    /// A closure that returns the time until the client may use more processor time; nil if it may use more now.
    ///
    /// It is used for live streams, which send many jobs.
    package var pause: (@Sendable () -> Duration?)?

    /// Creates limits that add nothing to the service's limits.
    package init() {}

    /// Returns the service's limits, lowered to the client's limits.
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
