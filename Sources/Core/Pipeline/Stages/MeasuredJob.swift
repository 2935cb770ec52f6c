import Framing
import Geometry
package import Imaging

/// A job whose source has a readable header and is within the limits.
package struct MeasuredJob {
    package let job: FrameJob
    package let header: ImageHeader
    package let limits: PipelineLimits
    /// The maximum memory use of the job, in bytes.
    package let bytesNeeded: Int

    /// Reads the header of the source, which takes microseconds.
    ///
    /// - Parameters:
    ///   - job: The job.
    ///   - limits: The limits on the job's source and its results.
    ///   - needs: The needs of the worker's search.
    /// - Throws: ``PipelineError/codec(_:)`` if the source is not an image or exceeds the limits, or
    ///   ``PipelineError/regionOutside(_:)``, or ``PipelineError/noVideo(_:)`` for a still image.
    package init(
        _ job: FrameJob,
        limits: PipelineLimits,
        needs: any SearchNeeds
    ) throws(PipelineError) {
        // The slice of the body is copied here. Only running jobs do this, so there are never more copies than workers.
        let bytes = job.source.array
        let header = try codec(ImageHeader.read(bytes))
        // The memory limit depends on the scale; the decoder checks it again.
        try codec(limits.decode.check(header, scale: DecodeScale(eighths: 1)))
        if let region = job.options.region, region.resolved(in: header.size).area == 0 {
            throw .regionOutside(header.size)
        }
        if let obstacle = job.videoObstacle(header, limits: limits) { throw .noVideo(obstacle) }
        var job = job
        job.source = SourceBytes(bytes)
        let behind = try Self.backdrop(of: &job, limits)
        func bytesNeeded(_ job: FrameJob) -> Int {
            DecodePlan(
                job: job,
                header: header,
                needs: needs,
                limits: limits,
                animation: job.animation(of: header, limits: limits),
                backdrop: behind
            ).bytesNeeded
        }
        var bytesOfJob = bytesNeeded(job)
        // Each iteration omits a format, so there are few iterations.
        while bytesOfJob > limits.maxBytes, let lighter = job.lighter {
            job = lighter
            bytesOfJob = bytesNeeded(job)
        }
        (self.job, self.header, self.limits, self.bytesNeeded) = (job, header, limits, bytesOfJob)
    }

    /// Returns the header of the backdrop; nil without a backdrop.
    private static func backdrop(
        of job: inout FrameJob,
        _ limits: PipelineLimits
    ) throws(PipelineError) -> ImageHeader? {
        guard let bytes = job.backdrop?.array else { return nil }
        job.backdrop = SourceBytes(bytes)
        do {
            let header = try ImageHeader.read(bytes)
            try limits.decode.check(header, scale: DecodeScale(eighths: 1))
            return header
        } catch {
            throw .backdrop(error)
        }
    }

    /// Runs the job on the calling thread and returns the result or an error, and the detections if the job ran a
    /// search.
    package func run(_ context: JobContext, search: inout any FaceSearch) -> JobOutcome {
        var pipeline = FramePipeline(
            job: job,
            header: header,
            limits: limits,
            context: context.beginning(limits.maxTime),
            search: search
        )
        defer { search = pipeline.search }
        return pipeline.run()
    }
}
