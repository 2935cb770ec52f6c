package import Pipeline
import Workers

/// A job with a frame of a video, as sent to a worker process; the bytes of the frame are sent beside it.
package struct VideoRequest: JobRequest {
    private var job: VideoJob
    package let limits: PipelineLimits

    init(_ job: VideoJob, limits: PipelineLimits) {
        self.job = job
        self.job.source = SourceBytes([])
        self.limits = limits
    }

    /// The job, with the bytes that were sent beside it.
    package func job(with body: [UInt8]) -> VideoJob {
        var job = job
        job.source = SourceBytes(body)
        return job
    }
}
