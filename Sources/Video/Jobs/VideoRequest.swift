package import Pipeline
import Workers

/// A job with a frame of a video, in the form for a worker process; the bytes of the frame are sent separately.
package struct VideoRequest: JobRequest {
    private var job: VideoJob
    package let limits: PipelineLimits

    init(_ job: VideoJob, limits: PipelineLimits) {
        self.job = job
        self.job.source = SourceBytes([])
        self.limits = limits
    }

    /// The job, with the bytes that were sent separately.
    package func job(with body: [UInt8]) -> VideoJob {
        var job = job
        job.source = SourceBytes(body)
        return job
    }
}
