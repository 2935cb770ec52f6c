package import Admission

/// When work on a job must have begun, and whether its result is still wanted.
package struct JobContext: Sendable {
    /// When work must have begun; nil sets no limit.
    package let deadline: ContinuousClock.Instant?
    /// Set when the result is not wanted any more.
    package let cancellation: Cancellation

    /// A context of one job, without a deadline and not cancelled unless given.
    package init(deadline: ContinuousClock.Instant? = nil, cancellation: Cancellation = Cancellation()) {
        self.deadline = deadline
        self.cancellation = cancellation
    }

    /// Throws ``PipelineError/cancelled`` once the result is not wanted any more; called between stages.
    package func check() throws(PipelineError) {
        if cancellation.isCancelled { throw .cancelled }
    }
}
