import Imaging
import Pipeline

/// Runs jobs on workers of one kind.
protocol JobRunner: AnyObject, Sendable {
    /// The name of the workers' detector.
    var detectorName: String { get }

    /// How busy the workers are.
    var load: PoolLoad { get }

    /// Why a job that came now would be refused, whatever memory it needs; nil when it would be accepted.
    func refusal(by deadline: ContinuousClock.Instant?) -> PipelineError?

    /// Runs a job once a worker and memory for it are free.
    ///
    /// The source's header is read on the worker, and decides how much memory the job takes of the common budget.
    ///
    /// - Throws: ``PipelineError`` when the job was refused or cancelled before it began.
    func run(_ job: FrameJob, _ context: JobContext) async throws(PipelineError) -> JobOutcome

    /// Runs a job with a frame of a video, after the same admission; other jobs go first for half of the workers.
    ///
    /// - Throws: ``PipelineError``.
    func run(_ job: VideoJob, _ context: JobContext) async throws(PipelineError) -> VideoAnswer

    /// Returns to the system what is kept for the next job.
    func releaseMemory()
}

extension JobRunner {
    func releaseMemory() { PlaneMemory.release() }
}
