import Admission
import Pipeline

/// Runs jobs on workers of one type, threads or processes.
///
/// ``WorkerService`` describes the members.
protocol JobRunner: AnyObject, Sendable {
    var detectorName: String { get }
    var load: PoolLoad { get }

    /// Whether all workers are busy and the queue is full.
    var isSaturated: Bool { get }

    func refusal(by deadline: ContinuousClock.Instant?, for client: Client?) -> PipelineError?

    /// Runs a job when a worker and memory for the job are available.
    ///
    /// The worker reads the source's header to estimate the memory of the job. The shared budget reserves this memory.
    ///
    /// - Throws: ``PipelineError`` if the job was rejected, or cancelled before it started.
    func run<Job: WorkerJob>(_ job: Job, _ context: JobContext) async throws(PipelineError) -> Job.Outcome

    /// Runs work outside the worker's thread or process.
    ///
    /// The worker runs nothing else during this time.
    ///
    /// - Parameters:
    ///   - context: The deadline, the cancellation and the client of the work.
    ///   - bytes: The memory of the work, which is reserved in the shared budget.
    ///   - work: Runs on a thread that waits for the work to finish.
    /// - Returns: The output of `work`.
    /// - Throws: ``PipelineError`` if the work was rejected, or cancelled before it started.
    func occupy<Output: Sendable>(
        _ context: JobContext,
        bytes: Int,
        _ work: @escaping @Sendable () -> Output
    ) async throws(PipelineError) -> Output

    /// Returns the memory that is retained for the next job to the system.
    func releaseMemory()
}
