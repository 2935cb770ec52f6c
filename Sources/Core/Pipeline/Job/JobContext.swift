package import Admission

/// The deadline and cancellation of a job.
package struct JobContext: Sendable {
    /// The latest start of work; nil for no limit.
    package let deadline: ContinuousClock.Instant?
    /// The cancellation of the job, for a result that is no longer needed.
    package let cancellation: Cancellation
    /// The client's own limits.
    package let limits: JobLimits
    /// The clocks of the time limit; tests replace them.
    package var clocks = TimeLimit.Clocks.system
    /// The time limit of a running job; nil for no limit.
    private var timeLimit: TimeLimit?

    /// Creates the context of one job; by default without a deadline and not cancelled.
    package init(
        deadline: ContinuousClock.Instant? = nil,
        cancellation: Cancellation = Cancellation(),
        limits: JobLimits = JobLimits()
    ) {
        self.deadline = deadline
        self.cancellation = cancellation
        self.limits = limits
    }

    /// Returns the context of a job that starts now and may use at most `limit` of processor time; nil for no limit.
    func beginning(_ limit: Duration?) -> JobContext {
        var context = self
        context.timeLimit = limit.map { TimeLimit($0, clocks) }
        return context
    }

    /// Throws ``PipelineError/cancelled`` if the job is cancelled, or the error of its time limit.
    ///
    /// The pipeline calls this method between stages, passes and frames.
    package func check() throws(PipelineError) {
        if cancellation.isCancelled { throw .cancelled }
        try timeLimit?.check()
    }
}
