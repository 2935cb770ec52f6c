import Admission
import Imaging
import Logging
import Pipeline
import Synchronization
import SystemLimits

/// Runs jobs in sandboxed worker processes.
final class ProcessRunner: JobRunner {
    /// A handler for process exits.
    ///
    /// It is set after the processes have been started.
    private final class ExitHandler: Sendable {
        private let action = Mutex<(@Sendable () -> Void)?>(nil)

        func set(_ action: @escaping @Sendable () -> Void) { self.action.withLock { $0 = action } }

        func call() { action.withLock { $0 }?() }
    }

    /// The time until the spare worker is started, so that it does not slow down the start of the service.
    private static let spareDelay = Duration.seconds(1)

    let detectorName: String

    private let pool: WorkerPool<WorkerSlot>
    private let workers: [WorkerSlot]
    private let spare: SpareWorker?
    private let memory: MemoryBudget
    private let refused: CrashQuarantine
    private let journal: WorkerEvents

    /// Starts one process, waits until it is ready, and then starts the other processes without waiting.
    ///
    /// A problem that prevents one start would prevent all starts.
    ///
    /// Starting all processes at once would delay the first process, and the service waits for the first process.
    ///
    /// - Throws: ``WorkerExit`` if a process cannot be started, or if the first process does not become ready.
    init(
        _ configuration: ProcessConfiguration,
        limits: PipelineLimits,
        pool poolConfiguration: PoolConfiguration,
        logger: Logger
    ) throws(WorkerExit) {
        let exitHandler = ExitHandler()
        memory = MemoryBudget(limit: poolConfiguration.maxBytesInFlight)
        refused = CrashQuarantine(time: configuration.refusalTime, limit: configuration.maxRefusals)
        journal = WorkerEvents(logger)
        let maxAddressSpace = ResourceLimit.addressSpace.hard ?? .max
        let spare =
            configuration.hasSpareWorker
            ? SpareWorker(configuration, journal: journal, maxAddressSpace: maxAddressSpace) { exitHandler.call() }
            : nil
        self.spare = spare
        let dependencies = WorkerSlot.Dependencies(
            configuration: configuration,
            limits: limits,
            memory: memory,
            refused: refused,
            journal: journal,
            memoryKills: MemoryKills(),
            maxAddressSpace: maxAddressSpace,
            spare: spare,
            onExit: { exitHandler.call() }
        )
        let workers = (0..<poolConfiguration.workers).map { _ in WorkerSlot(dependencies) }
        detectorName = try workers[0].finishStart().detectorName
        for worker in workers.dropFirst() { try worker.begin() }
        self.workers = workers
        var rest = workers[...]
        pool = WorkerPool(
            poolConfiguration,
            health: WorkerPool.HealthPolicy(isHealthy: \.isReady) { $0.repair() },
            makeResource: { rest.removeFirst() }
        )
        exitHandler.set { [weak pool] in pool?.repairIdle() }
        // A process may have ended before the handler was set.
        pool.repairIdle()
        spare?.prepare(after: Self.spareDelay)
    }

    var load: PoolLoad {
        var load = pool.load
        load.bytesInFlight = memory.used
        return load
    }

    var counters: ProcessCounters {
        var counters = journal.counters
        counters.alive = workers.count { $0.isReady }
        counters.crashQuarantine = refused.count
        return counters
    }

    var processIDsByWorker: [(worker: Int, processID: Int32)] {
        workers.enumerated().compactMap { number, worker in worker.processID.map { (number, $0) } }
    }

    var spareProcessID: Int32? { spare?.processID }

    var isSaturated: Bool { pool.isSaturated }

    func refusal(by deadline: ContinuousClock.Instant?, for client: Client?) -> PipelineError? {
        pool.refusal(by: deadline, for: client)
    }

    func releaseMemory() {
        PlaneMemory.release()
        for worker in workers { worker.releaseMemory() }
    }

    func occupy<Output: Sendable>(
        _ context: JobContext,
        bytes: Int,
        _ work: @escaping @Sendable () -> Output
    ) async throws(PipelineError) -> Output {
        try await pool.occupy(context, bytes: bytes, of: memory, work)
    }

    func run<Job: WorkerJob>(_ job: Job, _ context: JobContext) async throws(PipelineError) -> Job.Outcome {
        try Self.check(job, refused, journal)
        return try await pool.run(context, cost: job.cost) { [refused, journal] worker, waited throws(PipelineError) in
            // The same bytes may have ended another process while this job waited.
            try Self.check(job, refused, journal)
            return Job.outcome(try worker.run(job, context), waited: waited)
        }
    }

    private static func check(
        _ job: some WorkerJob,
        _ refused: CrashQuarantine,
        _ journal: WorkerEvents
    ) throws(PipelineError) {
        guard let time = refused.remaining(for: job.source, job.requestBytes) else { return }
        journal.refused()
        throw .sourceRefused(retryAfter: time)
    }
}
