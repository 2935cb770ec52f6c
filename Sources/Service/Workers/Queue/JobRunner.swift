import Admission
import Pipeline

/// Runs jobs on workers of one kind; ``WorkerService`` describes the members.
protocol JobRunner: AnyObject, Sendable {
    var detectorName: String { get }
    var load: PoolLoad { get }

    /// Whether all workers, and all places of waiting jobs, are taken.
    var isSaturated: Bool { get }

    func refusal(by deadline: ContinuousClock.Instant?, for client: Client?) -> PipelineError?

    /// Runs a job once a worker and memory for it are free.
    ///
    /// The worker reads the source's header to estimate the memory that the job reserves in the shared budget.
    ///
    /// - Throws: ``PipelineError`` when the job was refused or cancelled before it began.
    func run(_ job: FrameJob, _ context: JobContext) async throws(PipelineError) -> JobOutcome

    /// Runs a job with a frame of a video, after the same admission; other jobs go first for half of the workers.
    func run(_ job: VideoJob, _ context: JobContext) async throws(PipelineError) -> VideoResult

    /// Returns the memory kept for the next job to the system.
    func releaseMemory()
}
