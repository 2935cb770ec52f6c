import Admission
import FaceDetection
import Imaging
import Pipeline

/// Runs jobs on threads of this process.
///
/// Each thread has its own search.
final class ThreadRunner: JobRunner {
    let detectorName: String

    private let limits: PipelineLimits
    private let pool: WorkerPool<any FaceSearch>
    private let memory: MemoryBudget

    /// Starts the threads and creates a search for each thread.
    ///
    /// Throws the model's error if it cannot create a detector.
    init(model: FaceDetectorModel, limits: PipelineLimits, pool configuration: PoolConfiguration) throws {
        self.limits = limits
        detectorName = model.name
        pool = try WorkerPool(configuration) { try model.makeSearch() }
        memory = MemoryBudget(limit: configuration.maxBytesInFlight)
    }

    var load: PoolLoad {
        var load = pool.load
        load.bytesInFlight = memory.used
        return load
    }

    var isSaturated: Bool { pool.isSaturated }

    func refusal(by deadline: ContinuousClock.Instant?, for client: Client?) -> PipelineError? {
        pool.refusal(by: deadline, for: client)
    }

    func releaseMemory() { PlaneMemory.release() }

    func occupy<Output: Sendable>(
        _ context: JobContext,
        bytes: Int,
        _ work: @escaping @Sendable () -> Output
    ) async throws(PipelineError) -> Output {
        try await pool.occupy(context, bytes: bytes, of: memory, work)
    }

    func run<Job: WorkerJob>(_ job: Job, _ context: JobContext) async throws(PipelineError) -> Job.Outcome {
        try await pool.run(context, cost: job.cost) { [limits, memory] search, waited throws(PipelineError) in
            let clock = ProcessorClock.ofThread
            defer { clock.charge(context) }
            let work = try job.measured(context.limits.limited(limits), search.needs)
            try memory.take(work.bytesNeeded, context)
            defer { memory.give(work.bytesNeeded, of: context.limits.client) }
            try context.check()
            return Job.outcome(work.run(context, search: &search), waited: waited)
        }
    }
}
