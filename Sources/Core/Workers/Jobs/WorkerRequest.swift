package import Pipeline

/// A ``FrameJob`` as a message to a worker process.
///
/// The bytes of the source and the backdrop are sent separately.
///
/// The coding is synthesised, so it includes new parameters automatically. Both sides are the same program, so the
/// format does not need versions.
package struct WorkerRequest: JobRequest {
    private(set) var job: FrameJob
    package let limits: PipelineLimits
    /// The number of bytes of the source.
    ///
    /// The bytes of the backdrop follow them.
    private let sourceBytes: Int

    init(_ job: FrameJob, limits: PipelineLimits) {
        self.job = job
        self.job.source = SourceBytes([])
        sourceBytes = job.source.count
        if job.backdrop != nil { self.job.backdrop = SourceBytes([]) }
        self.limits = limits
    }

    /// Creates the job from this request and the bytes that were sent with it.
    package func job(with body: [UInt8]) -> FrameJob {
        var job = job
        if job.backdrop != nil, body.indices.contains(sourceBytes) {
            job.source = SourceBytes(body, in: 0..<sourceBytes)
            job.backdrop = SourceBytes(body, in: sourceBytes..<body.count)
        } else {
            job.source = SourceBytes(body)
        }
        return job
    }
}
