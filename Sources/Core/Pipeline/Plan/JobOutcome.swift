/// The outcome of a job: a result or an error, and the detections of the job's own search.
package struct JobOutcome: Sendable {
    /// The detections of the job's own search, even if the job failed afterwards; nil without a search.
    package var findings: DetectionResult?
    /// The result or the error.
    package var result: Result<FrameResult, PipelineError>

    /// Creates the outcome of a finished job.
    ///
    /// - Parameters:
    ///   - findings: The detections of the job's own search, even if the job failed afterwards; nil without a search.
    ///   - result: The result, or the error to report.
    package init(findings: DetectionResult? = nil, result: Result<FrameResult, PipelineError>) {
        self.findings = findings
        self.result = result
    }

    /// Creates a failed outcome without detections.
    package init(_ error: PipelineError) { self.init(result: .failure(error)) }

    /// Returns the same outcome with the duration of the wait for a worker.
    package func queued(for duration: Duration) -> JobOutcome {
        guard case .success(var result) = self.result else { return self }
        result.times.queue = duration
        return JobOutcome(findings: findings, result: .success(result))
    }
}
