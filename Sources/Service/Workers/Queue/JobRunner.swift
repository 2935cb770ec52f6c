import Admission
import Pipeline

/// Runs jobs on workers of the same type (threads or processes); ``WorkerService`` describes the members.
protocol JobRunner: AnyObject, Sendable {
    var detectorName: String { get }
    var load: PoolLoad { get }

    /// Whether all workers are busy and the queue is full.
    var isSaturated: Bool { get }

    func refusal(by deadline: ContinuousClock.Instant?, for client: Client?) -> PipelineError?

    /// Runs a job when a worker and memory for the job are free.
    ///
    /// The worker reads the source's header to estimate the memory that the job reserves in the shared budget.
    ///
    /// - Throws: ``PipelineError`` when the job was rejected or cancelled before it started.
    func run<Job: WorkerJob>(_ job: Job, _ context: JobContext) async throws(PipelineError) -> Job.Outcome

    /// Runs work outside the worker's thread or process, while the worker runs nothing else.
    ///
    /// - Parameters:
    ///   - context: The deadline, the cancellation and the client of the work.
    ///   - bytes: The memory of the work, which the shared budget reserves.
    ///   - work: Runs on a thread that waits for it.
    /// - Returns: The output of `work`.
    /// - Throws: ``PipelineError`` when the work was rejected or cancelled before it started.
    func occupy<Output: Sendable>(
        _ context: JobContext,
        bytes: Int,
        _ work: @escaping @Sendable () -> Output
    ) async throws(PipelineError) -> Output

    /// Returns the memory kept for the next job to the system.
    func releaseMemory()
}
