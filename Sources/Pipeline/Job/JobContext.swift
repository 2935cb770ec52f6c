package import Admission

/// The deadline and cancellation of a job.
package struct JobContext: Sendable {
    /// The latest start of work; nil sets no limit.
    package let deadline: ContinuousClock.Instant?
    /// Cancelled when the result is no longer needed.
    package let cancellation: Cancellation

    /// The context of one job; by default without a deadline and not cancelled.
    package init(deadline: ContinuousClock.Instant? = nil, cancellation: Cancellation = Cancellation()) {
        self.deadline = deadline
        self.cancellation = cancellation
    }

    /// Throws ``PipelineError/cancelled`` if the job is cancelled; called between stages.
    package func check() throws(PipelineError) {
        if cancellation.isCancelled { throw .cancelled }
    }
}
