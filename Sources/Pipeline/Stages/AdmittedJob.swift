package import Imaging

/// A job whose source has a header that can be read and is within the limits.
package struct AdmittedJob {
    package let job: FrameJob
    package let header: ImageHeader
    package let limits: PipelineLimits
    /// The memory that it needs at most.
    package let bytesNeeded: Int

    /// Reads the header, which costs microseconds.
    ///
    /// - Throws: ``PipelineError/codec(_:)`` for what is no image, or too large.
    package init(_ job: FrameJob, limits: PipelineLimits, smallestDetectableSide: Int) throws(PipelineError) {
        // A part of a body is copied here, once: of jobs that run there are no more than workers.
        let bytes = job.source.array
        do {
            header = try ImageHeader.read(bytes)
            // Bytes depend on the scale, which the decoder checks again.
            try limits.decode.check(header, scale: DecodeScale(eighths: 1))
        } catch {
            throw .codec(error)
        }
        var job = job
        job.source = SourceBytes(bytes)
        self.job = job
        self.limits = limits
        bytesNeeded =
            DecodePlan(
                job: job,
                header: header,
                smallestDetectableSide: smallestDetectableSide,
                mostResultPixels: limits.maxResultPixels
            ).bytesNeeded
    }

    /// The pipeline that does it.
    package func pipeline(_ context: JobContext) -> FramePipeline {
        FramePipeline(job: job, header: header, limits: limits, context: context)
    }
}
