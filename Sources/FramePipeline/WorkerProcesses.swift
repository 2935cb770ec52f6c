import Isolation
import Logging
import Synchronization

/// A pool of worker processes.
final class WorkerProcesses: Sendable {
    /// Lets a process that ended be noticed by a pool that does not exist yet when the process starts.
    private final class Bell: Sendable {
        private let action = Mutex<(@Sendable () -> Void)?>(nil)

        func connect(_ action: @escaping @Sendable () -> Void) { self.action.withLock { $0 = action } }

        func ring() { action.withLock { $0 }?() }
    }

    /// Runs jobs on processes that are ready.
    let pool: WorkerPool<ProcessWorker>
    /// What the first process said of itself, and all others are to say.
    let greeting: WorkerGreeting

    private let workers: [ProcessWorker]
    private let memory: MemoryBudget
    private let refused: RefusedSources
    private let journal: WorkerJournal

    /// Starts all processes at once, and waits for the first: whatever keeps one from working keeps all.
    ///
    /// - Throws: ``WorkerEnd``.
    init(
        _ configuration: ProcessConfiguration,
        limits: PipelineLimits,
        pool poolConfiguration: PoolConfiguration,
        logger: Logger
    ) throws(WorkerEnd) {
        let bell = Bell()
        memory = MemoryBudget(limit: poolConfiguration.maxBytesInFlight)
        refused = RefusedSources(time: configuration.refusalTime, limit: configuration.maxRefusals)
        journal = WorkerJournal(logger)
        let surroundings = ProcessWorker.Surroundings(
            configuration: configuration,
            limits: limits,
            memory: memory,
            refused: refused,
            journal: journal,
            onExit: { bell.ring() }
        )
        let workers = (0..<poolConfiguration.workers).map { _ in ProcessWorker(surroundings) }
        for worker in workers { try worker.begin() }
        greeting = try workers[0].finishStart()
        self.workers = workers
        var rest = workers[...]
        pool = WorkerPool(
            poolConfiguration,
            upkeep: WorkerPool.Upkeep(isFit: \.isReady) { $0.repair() },
            makeContext: { rest.removeFirst() }
        )
        // One may have died before anybody listened.
        bell.connect { [weak pool] in pool?.repairIdle() }
        pool.repairIdle()
    }

    /// How busy the processes are.
    var load: PoolLoad {
        var load = pool.load
        load.bytesInFlight = memory.used
        return load
    }

    /// What became of them.
    var counters: ProcessCounters {
        var counters = journal.counters
        counters.alive = workers.count { $0.isReady }
        counters.refusedSources = refused.count
        return counters
    }

    /// The processes that are ready.
    var processIDs: [Int32] { workers.compactMap(\.processID) }

    /// The processes that are ready, by the number of their place.
    var processIDsByWorker: [(worker: Int, processID: Int32)] {
        workers.enumerated().compactMap { number, worker in worker.processID.map { (number, $0) } }
    }

    /// Lets them give back what they keep for the next job.
    func rest() {
        for worker in workers { worker.rest() }
    }

    /// Does a job, if its turn comes before the deadline.
    func run(
        _ job: FrameJob,
        by deadline: ContinuousClock.Instant?,
        found: @escaping @Sendable (FaceFindings) -> Void
    ) async throws(PipelineError) -> FrameResult {
        if let time = refused.remaining(for: job.source) {
            journal.refused()
            throw .sourceRefused(retryAfter: time)
        }
        // The memory is asked for by the process, which is the first to know.
        return try await pool.run(bytes: 0, by: deadline) {
            [refused, journal]
            worker,
            waited,
            cancellation throws(PipelineError) in
            // Others with the same bytes may have been at work while it waited.
            if let time = refused.remaining(for: job.source) {
                journal.refused()
                throw .sourceRefused(retryAfter: time)
            }
            var result = try worker.run(job, by: deadline, cancellation, found: found)
            result.times.queue = waited
            return result
        }
    }
}
