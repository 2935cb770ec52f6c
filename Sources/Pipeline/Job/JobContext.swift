package import Admission
import Imaging

/// The deadline and cancellation of a job.
package struct JobContext: Sendable {
    /// The latest start of work; nil sets no limit.
    package let deadline: ContinuousClock.Instant?
    /// Cancelled when the result is no longer needed.
    package let cancellation: Cancellation
    /// What the client may use.
    package let terms: JobTerms
    /// The end of a running job's time, and how long that was; nil sets no limit.
    private var end: (time: ContinuousClock.Instant, limit: Duration)?

    /// The context of one job; by default without a deadline and not cancelled.
    package init(
        deadline: ContinuousClock.Instant? = nil,
        cancellation: Cancellation = Cancellation(),
        terms: JobTerms = JobTerms()
    ) {
        self.deadline = deadline
        self.cancellation = cancellation
        self.terms = terms
    }

    /// The same context for a job that begins now and may take `limit`; nil sets no limit.
    func beginning(_ limit: Duration?) -> JobContext {
        var context = self
        context.end = limit.map { (.now + $0, $0) }
        return context
    }

    /// Throws ``PipelineError/cancelled`` if the job is cancelled, or ``PipelineError/tookTooLong(limit:)``; called between
    /// stages, passes and frames.
    package func check() throws(PipelineError) {
        if cancellation.isCancelled { throw .cancelled }
        if let end, .now > end.time { throw .tookTooLong(limit: end.limit) }
    }
}

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
