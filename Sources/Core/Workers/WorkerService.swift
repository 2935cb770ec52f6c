package import Admission
package import FaceDetection
import Imaging
package import Logging
package import Pipeline
import Synchronization

/// Runs jobs on a pool of workers: threads of this process, each with its own detector, or processes.
package final class WorkerService: Sendable {
    private let runner: any JobRunner
    /// The runner if workers are processes; otherwise nil.
    private let processes: ProcessRunner?
    private let idleMemory: IdleMemory

    /// The quarantine for conversions that exceeded a limit.
    private let quarantine = CrashQuarantine(time: .seconds(300), limit: 1024)
    private let counters = Mutex<[ConverterUse: ConverterCounters]>([:])

    /// Limits on the pixels, frames and time of a job.
    package let limits: PipelineLimits

    /// Creates a service that runs jobs on threads of this process, with a detector for each thread.
    ///
    /// - Throws: The model's error if it cannot create a detector.
    package convenience init(
        model: FaceDetectorModel,
        limits: PipelineLimits,
        pool configuration: PoolConfiguration
    ) throws {
        self.init(try ThreadRunner(model: model, limits: limits, pool: configuration), processes: nil, limits: limits)
    }

    /// Creates a service that runs jobs in sandboxed processes, and starts the processes.
    ///
    /// - Parameters:
    ///   - processes: The command that starts a process, and the limits of each job.
    ///   - limits: The limits on sources and results.
    ///   - configuration: The number of processes, the maximum number of waiting jobs, and the total memory of running
    ///     jobs.
    ///   - logger: Receives log lines about crashes and restarts of processes.
    /// - Throws: A ``WorkerExit`` if a process cannot be started, or if the first process does not become ready.
    package convenience init(
        processes: ProcessConfiguration,
        limits: PipelineLimits,
        pool configuration: PoolConfiguration,
        logger: Logger
    ) throws {
        let runner = try ProcessRunner(processes, limits: limits, pool: configuration, logger: logger)
        self.init(runner, processes: runner, limits: limits)
    }

    private init(_ runner: some JobRunner, processes: ProcessRunner?, limits: PipelineLimits) {
        self.runner = runner
        self.processes = processes
        self.limits = limits
        idleMemory = IdleMemory { [weak runner] in runner?.releaseMemory() }
    }

    package var detectorName: String { runner.detectorName }

    package var load: PoolLoad { runner.load }

    /// Whether all workers are busy and the queue is full.
    package var isSaturated: Bool { runner.isSaturated }

    /// Returns the refusal that a client's new job would get now if it has this deadline for its start; nil if it would
    /// be accepted.
    ///
    /// The memory of the job is not taken into account.
    package func refusal(by deadline: ContinuousClock.Instant?, for client: Client? = nil) -> PipelineError? {
        runner.refusal(by: deadline, for: client)
    }

    /// Whether at least one worker can run a job.
    ///
    /// False if all worker processes have ended and none has been replaced.
    package var hasWorkers: Bool { processCounters.map { $0.alive > 0 } ?? true }

    /// Statistics of the worker processes; nil when workers are threads.
    package var processCounters: ProcessCounters? { processes?.counters }

    /// The process IDs of the live worker processes; empty when workers are threads.
    package var processIDs: [Int32] { processIDsByWorker.map(\.processID) }

    /// The live worker processes, by the number of the worker; empty when workers are threads.
    package var processIDsByWorker: [(worker: Int, processID: Int32)] { processes?.processIDsByWorker ?? [] }

    /// The process ID of the spare worker, which replaces the next worker process that ends; nil if it is not ready.
    package var spareProcessID: Int32? { processes?.spareProcessID }

    /// Runs a job under the client's limits, if a worker and memory for the job become available before the deadline.
    package func run(
        _ job: FrameJob,
        by deadline: ContinuousClock.Instant? = nil,
        _ limits: JobLimits = JobLimits()
    ) async throws(PipelineError) -> FrameResult {
        try await outcome(of: job, by: deadline, limits).result.get()
    }

    /// Runs a job of any kind, as ``run(_:by:_:)`` does, and returns its outcome.
    ///
    /// The outcome is a result or an error, and may contain other values that the kind of job defines.
    package func outcome<Job: WorkerJob>(
        of job: Job,
        by deadline: ContinuousClock.Instant? = nil,
        _ limits: JobLimits = JobLimits()
    ) async -> Job.Outcome {
        defer { idleMemory.jobEnded { [runner] in runner.load.isIdle } }
        do {
            return try await runner.run(job, JobContext(deadline: deadline, limits: limits))
        } catch {
            return Job.failure(error)
        }
    }

    /// The runs of converters by their use; uses without runs are missing.
    package var converterCounters: [ConverterUse: ConverterCounters] { counters.withLock { $0 } }

    /// Throws ``ConversionFailure/quarantined(retryAfter:)`` if the same run of a converter recently exceeded a limit.
    package func checkQuarantine(of job: some ConverterJob) throws(ConversionFailure) {
        guard let time = quarantine.remaining(for: job.source, job.request) else { return }
        counters.withLock { $0[job.use, default: ConverterCounters()].count(.quarantined) }
        throw .quarantined(retryAfter: time)
    }

    /// Runs a converter, when a worker and the stated memory are free before the deadline.
    ///
    /// The worker runs nothing else meanwhile, so converters count for ``PoolConfiguration/workers``. A run that exceeded
    /// a limit is quarantined like a job.
    ///
    /// - Parameters:
    ///   - job: The file and its converter.
    ///   - deadline: The latest start.
    ///   - limits: The limits and the accounting of the client.
    /// - Returns: An image, not checked yet, or a video.
    /// - Throws: A ``ConversionFailure``.
    package func convert(
        _ job: some ConverterJob,
        by deadline: ContinuousClock.Instant? = nil,
        _ limits: JobLimits = JobLimits()
    ) async throws(ConversionFailure) -> [UInt8] {
        try checkQuarantine(of: job)
        let context = JobContext(deadline: deadline, limits: limits)
        let maxPixels = limits.limited(self.limits).decode.maxPixels
        let outcome: ConverterOutcome
        do throws(PipelineError) {
            outcome = try await runner.occupy(context, bytes: job.bytesNeeded) {
                let outcome = job.run(maxPixels: maxPixels, context.cancellation)
                limits.charge?(outcome.processorTime)
                return outcome
            }
        } catch {
            throw .rejected(error)
        }
        counters.withLock { $0[job.use, default: ConverterCounters()].add(outcome) }
        if case .failure(let failure) = outcome.result,
            let reason = failure.quarantineReason(after: outcome.processorTime)
        {
            quarantine.add(job.source, job.request, reason)
            if reason == .suspectedRequest { throw .rejected(.overloaded(retryAfter: .seconds(1))) }
        }
        return try outcome.result.get()
    }
}

extension ConversionFailure {
    /// Returns the reason to quarantine a conversion.
    ///
    /// Nil for failures that cost little, and for failures that may not occur in another request.
    fileprivate func quarantineReason(after processorTime: Duration) -> CrashQuarantine.Reason? {
        switch self {
        // The machine may be busy. However, a converter that waits without using processor time may itself be the
        // cause.
        case .timeout(let limit): processorTime * 4 < limit ? .suspectedRequest : .request
        case .tooManyBytes, .tooManyThreads: .request
        case .rejected, .notStarted, .failed, .tooManyPixels, .invalidOutput, .quarantined: nil
        }
    }
}
