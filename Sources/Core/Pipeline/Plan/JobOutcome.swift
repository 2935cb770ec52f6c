/// The outcome of a job: a result or an error, and the findings of its own search.
package struct JobOutcome: Sendable {
    /// The findings of the job's own search, even if the job failed afterwards; nil if it made no search.
    package var findings: DetectionResult?
    /// The result or the error.
    package var result: Result<FrameResult, PipelineError>

    /// The outcome of a job that ended.
    ///
    /// - Parameters:
    ///   - findings: Those of the job's own search, also of a job that failed afterwards; nil if it made none.
    ///   - result: The result, or the error to report.
    package init(findings: DetectionResult? = nil, result: Result<FrameResult, PipelineError>) {
        self.findings = findings
        self.result = result
    }

    /// An outcome that failed without findings.
    package init(_ error: PipelineError) { self.init(result: .failure(error)) }

    /// The same outcome, with the time of the wait for a worker.
    package func queued(for duration: Duration) -> JobOutcome {
        guard case .success(var result) = self.result else { return self }
        result.times.queue = duration
        return JobOutcome(findings: findings, result: .success(result))
    }
}
