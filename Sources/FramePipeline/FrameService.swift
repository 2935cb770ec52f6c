package import FaceDetection
import ImageCodec

/// Runs jobs on a pool of workers, each with a detector of its own.
package final class FrameService: Sendable {
    private let limits: PipelineLimits
    private let smallestDetectableSide: Int
    private let pool: WorkerPool<any FaceDetector>
    private let idleMemory = IdleMemory()

    /// The detector's name.
    package let detectorName: String

    /// Makes a detector for every worker.
    ///
    /// - Throws: What the model throws when it cannot make a detector.
    package init(
        model: FaceDetectorModel,
        limits: PipelineLimits,
        pool configuration: WorkerPool<any FaceDetector>.Configuration
    ) throws {
        self.limits = limits
        smallestDetectableSide = try model.makeDetector().smallestDetectableSide
        detectorName = model.name
        pool = try WorkerPool(configuration) { try model.makeDetector() }
    }

    /// How busy the workers are.
    package var load: WorkerPool<any FaceDetector>.Load { pool.load }

    /// Whether the next job would be refused.
    package var isSaturated: Bool { pool.isSaturated }

    /// Runs one job, once a worker and memory for it are free.
    ///
    /// The header is read at once, so that a source that is not an image, or too large, costs nobody's turn.
    ///
    /// - Throws: ``PipelineError``.
    package func run(_ job: FrameJob) async throws(PipelineError) -> FrameResult {
        let header: ImageHeader
        do {
            header = try ImageHeader.read(job.source)
            // Bytes depend on the scale, which the decoder checks again.
            try limits.decode.check(header, scale: DecodeScale(eighths: 1))
        } catch {
            throw .codec(error)
        }
        let bytes = DecodePlan(
            job: job,
            header: header,
            smallestDetectableSide: smallestDetectableSide,
            mostResultPixels: limits.maxResultPixels
        ).bytesNeeded
        defer {
            let pool = pool
            idleMemory.jobEnded { pool.load.running == 0 && pool.load.waiting == 0 }
        }
        return try await pool.run(bytes: bytes) { [limits] detector, waited, cancellation throws(PipelineError) in
            let pipeline = FramePipeline(job: job, header: header, limits: limits, cancellation: cancellation)
            var result = try pipeline.run(detector: &detector)
            result.times.queue = waited
            return result
        }
    }
}
