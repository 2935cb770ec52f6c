import ImageCodec

/// A job whose source has a header that can be read and is within the limits.
struct AdmittedJob {
    let job: FrameJob
    let header: ImageHeader
    let limits: PipelineLimits
    /// The memory that it needs at most.
    let bytesNeeded: Int

    /// Reads the header, which costs microseconds.
    ///
    /// - Throws: ``PipelineError/codec(_:)`` for what is no image, or too large.
    init(_ job: FrameJob, limits: PipelineLimits, smallestDetectableSide: Int) throws(PipelineError) {
        do {
            header = try ImageHeader.read(job.source)
            // Bytes depend on the scale, which the decoder checks again.
            try limits.decode.check(header, scale: DecodeScale(eighths: 1))
        } catch {
            throw .codec(error)
        }
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
    func pipeline(_ cancellation: Cancellation) -> FramePipeline {
        FramePipeline(job: job, header: header, limits: limits, cancellation: cancellation)
    }
}
