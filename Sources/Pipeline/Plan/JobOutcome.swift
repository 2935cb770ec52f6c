/// How a job ended: with a result or an error, and with the findings of the search that it made.
package struct JobOutcome: Sendable {
    /// What the job's own search found, also when the job failed after it; nil when it made none.
    package var findings: FaceFindings?
    /// The result, or why there is none.
    package var result: Result<FrameResult, PipelineError>

    /// An outcome with the given findings.
    package init(findings: FaceFindings? = nil, result: Result<FrameResult, PipelineError>) {
        self.findings = findings
        self.result = result
    }

    /// A job that failed before it had findings.
    package init(_ error: PipelineError) { self.init(result: .failure(error)) }

    /// The same after a wait for a worker.
    package func queued(for duration: Duration) -> JobOutcome {
        guard case .success(var result) = self.result else { return self }
        result.times.queue = duration
        return JobOutcome(findings: findings, result: .success(result))
    }
}
