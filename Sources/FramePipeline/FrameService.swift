package import FaceDetection
import ImageCodec
package import Logging

/// Runs jobs on a pool of workers: threads of this process, each with a detector of its own, or processes.
package final class FrameService: Sendable {
    private enum Workers {
        case threads(WorkerPool<any FaceDetector>, smallestDetectableSide: Int)
        case processes(WorkerProcesses)
    }

    private let workers: Workers
    private let idleMemory: IdleMemory

    /// The detector's name.
    package let detectorName: String

    /// What a job may cost.
    package let limits: PipelineLimits

    /// Runs jobs on threads of this process, and makes a detector for each.
    ///
    /// - Throws: What the model throws when it cannot make a detector.
    package init(model: FaceDetectorModel, limits: PipelineLimits, pool configuration: PoolConfiguration) throws {
        self.limits = limits
        detectorName = model.name
        workers = .threads(
            try WorkerPool(configuration) { try model.makeDetector() },
            smallestDetectableSide: try model.makeDetector().smallestDetectableSide
        )
        idleMemory = IdleMemory(release: PlaneMemory.release)
    }

    /// Runs jobs in processes that can reach nothing, and starts them.
    ///
    /// - Throws: A ``WorkerEnd`` that says why the first of them could not start.
    package init(
        processes: ProcessConfiguration,
        limits: PipelineLimits,
        pool configuration: PoolConfiguration,
        logger: Logger
    ) throws {
        self.limits = limits
        let processes = try WorkerProcesses(processes, limits: limits, pool: configuration, logger: logger)
        detectorName = processes.greeting.detectorName
        workers = .processes(processes)
        idleMemory = IdleMemory { [weak processes] in
            PlaneMemory.release()
            processes?.rest()
        }
    }

    /// How busy the workers are.
    package var load: PoolLoad {
        switch workers {
        case .threads(let pool, _): pool.load
        case .processes(let processes): processes.load
        }
    }

    /// Whether the next job would be refused.
    package var isSaturated: Bool { refusal(by: nil) != nil }

    /// Asks what would become of a job that came now, whatever memory it needs.
    ///
    /// - Parameter deadline: When work on it must have begun.
    /// - Returns: Why it would be refused; nil when it would be taken.
    package func refusal(by deadline: ContinuousClock.Instant?) -> PipelineError? {
        switch workers {
        case .threads(let pool, _): pool.refusal(by: deadline)
        case .processes(let processes): processes.pool.refusal(by: deadline)
        }
    }

    /// Whether there is any worker that could do a job: a process may have died, and not be replaced yet.
    package var hasWorkers: Bool { processCounters.map { $0.alive > 0 } ?? true }

    /// What became of worker processes; nil when workers are threads.
    package var processCounters: ProcessCounters? {
        switch workers {
        case .threads: nil
        case .processes(let processes): processes.counters
        }
    }

    /// The numbers of the worker processes that are alive; none when workers are threads.
    package var processIDs: [Int32] {
        switch workers {
        case .threads: []
        case .processes(let processes): processes.processIDs
        }
    }

    /// The worker processes that are alive, by the number of the worker; none when workers are threads.
    package var processIDsByWorker: [(worker: Int, processID: Int32)] {
        switch workers {
        case .threads: []
        case .processes(let processes): processes.processIDsByWorker
        }
    }

    /// Runs one job, once a worker and memory for it are free.
    ///
    /// On threads the header is read at once, so that a source that is not an image, or too large, costs nobody's turn.
    /// With processes that is the first thing a worker does, for the parent does not look into strangers' bytes.
    ///
    /// - Parameters:
    ///   - job: What is to be done.
    ///   - deadline: When work on it must have begun; nil lets it wait as long as it takes.
    ///   - found: Told what a search found, for later jobs with the same picture; also when the job fails after it. Not
    ///     called when no search is made, and before this returns otherwise.
    /// - Returns: Its result.
    /// - Throws: ``PipelineError``.
    package func run(
        _ job: FrameJob,
        by deadline: ContinuousClock.Instant? = nil,
        found: @escaping @Sendable (FaceFindings) -> Void = { _ in }
    ) async throws(PipelineError) -> FrameResult {
        switch workers {
        case .threads(let pool, let side):
            let admitted = try AdmittedJob(job, limits: limits, smallestDetectableSide: side)
            defer { idleMemory.jobEnded { pool.load.isIdle } }
            return try await pool.run(bytes: admitted.bytesNeeded, by: deadline) {
                detector,
                waited,
                cancellation throws(PipelineError) in
                var result = try admitted.pipeline(cancellation).run(detector: &detector, found: found)
                result.times.queue = waited
                return result
            }
        case .processes(let processes):
            defer { idleMemory.jobEnded { processes.pool.load.isIdle } }
            return try await processes.run(job, by: deadline, found: found)
        }
    }
}
