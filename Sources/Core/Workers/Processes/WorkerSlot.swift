import Admission
import Pipeline
import Synchronization

/// One of the pool's worker processes.
///
/// It is replaced when it ends.
///
/// The pool assigns jobs and repairs one at a time. Only ``isReady``, ``processID`` and ``releaseMemory()`` can be
/// called on any thread.
final class WorkerSlot: Sendable {
    /// The dependencies that all slots share.
    struct Dependencies: Sendable {
        let configuration: ProcessConfiguration
        let limits: PipelineLimits
        let memory: MemoryBudget
        let refused: CrashQuarantine
        let journal: WorkerEvents
        /// Detects whether the kernel has killed processes of this container because memory was exhausted.
        let memoryKills: MemoryKills
        /// Maximum address space of a process in bytes, which is the hard limit that the process inherits.
        let maxAddressSpace: Int
        /// The process that replaces the next process that ends; nil for none.
        let spare: SpareWorker?
        /// Called when a process ended without being killed by the parent.
        let onExit: @Sendable () -> Void
    }

    private struct State {
        var ready: ReadyProcess?
        /// A process that has been started but has not sent its greeting.
        var starting: WorkerProcess?
        var startedAt = ContinuousClock.now
        var hasBeenReady = false
        /// Whether the current process has finished a job.
        var hasWorked = false
        /// The number of consecutive failed starts.
        var failures = 0
        var nextJob: UInt64 = 0
    }

    /// The pause between two starts after the first failure.
    ///
    /// It doubles with each failure, up to ``maxPause``.
    private static let firstPause = Duration.milliseconds(100)
    private static let maxPause = Duration.seconds(5)
    /// A process counts as a failed start if it ends earlier than this without having finished a job.
    private static let minLife = Duration.seconds(1)

    let dependencies: Dependencies
    private let state = Mutex(State())

    init(_ dependencies: Dependencies) { self.dependencies = dependencies }

    deinit {
        let (ready, starting) = state.withLock { ($0.ready, $0.starting) }
        ready?.process.end()
        starting?.end()
    }

    /// Whether the current process can run a job now.
    var isReady: Bool { state.withLock { $0.ready?.process.isRunning ?? false } }

    /// The ID of the ready process, for tests and logs.
    var processID: Int32? { state.withLock { $0.ready?.process.processID } }

    /// Makes the process release the memory that it retains for the next job.
    func releaseMemory() { state.withLock { $0.ready }?.process.releaseMemory() }

    // MARK: Starting

    /// Starts a process without waiting for it.
    func begin() throws(WorkerExit) {
        let process = try WorkerProcess.start(
            dependencies.configuration.command,
            early: dependencies.configuration.early,
            timeout: dependencies.configuration.jobTimeout,
            onExit: dependencies.onExit
        )
        state.withLock { state in
            state.starting = process
            state.startedAt = .now
            state.hasWorked = false
        }
    }

    /// Waits until the started process is ready and has passed the startup check.
    ///
    /// If no process was started, starts one first.
    @discardableResult
    func finishStart() throws(WorkerExit) -> WorkerGreeting {
        if state.withLock({ $0.starting == nil }) { try begin() }
        guard let process = state.withLock({ $0.starting }) else { throw .init(.start, "a worker process is missing") }
        defer { state.withLock { $0.starting = nil } }
        let ready = try ReadyProcess(
            process,
            startupCheck: nextJob(),
            dependencies.configuration,
            maxAddressSpace: dependencies.maxAddressSpace
        )
        state.withLock { state in
            state.ready = ready
            state.hasBeenReady = true
        }
        return ready.greeting
    }

    /// Takes the spare worker's process, or starts a process if no spare worker is ready.
    ///
    /// Then another process is started for the spare worker.
    private func startSuccessor() throws(WorkerExit) {
        if let ready = dependencies.spare?.take() {
            state.withLock { state in
                state.ready = ready
                state.startedAt = .now
                state.hasWorked = false
            }
        } else {
            try finishStart()
        }
        dependencies.spare?.prepare()
    }

    /// Replaces a process that has ended.
    ///
    /// If this fails, returns the time until the next attempt.
    func repair() -> Duration? {
        if isReady { return nil }
        reap()
        do {
            let isFirst = state.withLock { !$0.hasBeenReady }
            // Limits the rate of restarts if processes end immediately after their start.
            if let pause = state.withLock({ Self.pause(&$0) }) { return pause }
            if isFirst { try finishStart() } else { try startSuccessor() }
            if !isFirst { dependencies.journal.restarted() }
            return nil
        } catch {
            dependencies.journal.ended(error, during: "start")
            return state.withLock { state in
                state.failures += 1
                return Self.pause(after: state.failures)
            }
        }
    }

    /// Replaces a process that ended during a job or before it started a job.
    func replace(after end: WorkerExit, during activity: String) throws(WorkerExit) {
        discard()
        dependencies.journal.ended(end, during: activity)
        do {
            try startSuccessor()
        } catch {
            dependencies.journal.ended(error, during: "start")
            throw error
        }
        dependencies.journal.restarted()
    }

    /// Kills the process if it is alive, and removes it.
    func discard() {
        state.withLock { state in
            state.ready?.process.end()
            state.ready = nil
        }
    }

    /// Removes a process that ended while it was idle, and records its exit.
    private func reap() {
        guard let process = state.withLock({ $0.ready?.process }) else { return }
        let end = process.end()
        state.withLock { state in
            state.ready = nil
            if !state.hasWorked, .now - state.startedAt < Self.minLife { state.failures += 1 }
        }
        dependencies.journal.ended(end, during: "rest")
    }

    private static func pause(_ state: inout State) -> Duration? {
        guard state.failures > 0 else { return nil }
        let rest = state.startedAt + pause(after: state.failures) - .now
        return rest > .zero ? rest : nil
    }

    private static func pause(after failures: Int) -> Duration {
        min(maxPause, firstPause * (1 << min(failures - 1, 10)))
    }

    // MARK: State of jobs

    var ready: ReadyProcess? { state.withLock { $0.ready } }

    func nextJob() -> UInt64 {
        state.withLock { state in
            state.nextJob += 1
            return state.nextJob
        }
    }

    func noteSuccess() {
        state.withLock { state in
            state.hasWorked = true
            state.failures = 0
        }
    }
}

extension WorkerSlot {
    /// Runs a job in the process if memory for it becomes available before the deadline.
    ///
    /// If a job's process is killed from outside, the job runs a second time in another process. It does not run again
    /// if the kernel killed the process because memory was exhausted, because the job may have used this memory.
    ///
    /// - Returns: The job's outcome.
    /// - Throws: ``PipelineError`` if the job was not admitted or its process failed.
    func run<Job: WorkerJob>(_ job: Job, _ context: JobContext) throws(PipelineError) -> Job.Outcome {
        var attempt = attempt(job, context)
        do {
            switch attempt {
            case .notBegun(let end):
                try replace(after: end, during: "rest")
                attempt = self.attempt(job, context)
            case .lost(let end) where mayRepeat(after: end, context):
                // After a second kill, the request is rejected.
                dependencies.refused.add(job.source, job.requestBytes, .suspectedRequest)
                try replace(after: end, during: "job")
                attempt = self.attempt(job, context)
            case .answered, .refused, .lost: break
            }
        } catch {
            throw .workerLost("\(error)")
        }
        switch attempt {
        case .answered(let outcome): return outcome
        case .refused(let error): throw error
        case .notBegun(let end), .lost(let end): throw lost(end, job)
        }
    }

    private func mayRepeat(after end: WorkerExit, _ context: JobContext) -> Bool {
        end.cause == .killed && !context.cancellation.isCancelled && !dependencies.memoryKills.areNew()
    }

    /// The outcome of an attempt to run a job.
    private enum Attempt<Outcome> {
        /// The process replied, with a result or an error.
        case answered(Outcome)
        /// The job was not admitted.
        case refused(PipelineError)
        /// The process ended before it started the job.
        case notBegun(WorkerExit)
        /// The process ended because of the job, or was killed while it ran the job.
        case lost(WorkerExit)
    }

    private func attempt<Job: WorkerJob>(_ job: Job, _ context: JobContext) -> Attempt<Job.Outcome> {
        guard let ready else { return .notBegun(WorkerExit(.killed, "is missing")) }
        let (memory, number) = (dependencies.memory, nextJob())
        var taken: Int?
        defer { if let taken { memory.give(taken, of: context.limits.client) } }
        let clock = ProcessorClock.ofProcess(ready.process.processID)
        defer { clock.charge(context) }
        let outcome = context.cancellation.withHandler({ ready.process.cancel(job: number) }) {
            Result {
                try ready.run(job, number, context.limits.limited(dependencies.limits)) { bytes in
                    Result { () throws(PipelineError) in
                        try memory.take(bytes, context)
                        taken = bytes
                    }
                }
            }
        }
        switch outcome {
        case .success(let outcome):
            if Job.isSuccess(outcome) { noteSuccess() }
            return .answered(outcome)
        case .failure(let error as PipelineError): return .refused(error)
        case .failure(let end as WorkerExit): return taken == nil && end.cause == .killed ? .notBegun(end) : .lost(end)
        case .failure(let error): return .refused(.workerLost("\(error)"))
        }
    }

    /// Records that a process ended during its job, and quarantines the image if it may be the cause.
    private func lost(_ end: WorkerExit, _ job: some WorkerJob) -> PipelineError {
        // If the process is still running after a failed send, it remains in use.
        if !isReady { discard() }
        dependencies.journal.ended(end, during: "job")
        if var reason = Self.reason(end.cause) {
            // The other image, the backdrop, may be the reason why the process ended.
            if reason == .source, job.hasOtherImages { reason = .request }
            // The machine was busy. However, a job that waits without using processor time may itself be the cause.
            if end.isStarved { reason = .starvedRequest }
            dependencies.refused.add(job.source, job.requestBytes, reason)
        }
        return end.isStarved ? .overloaded(retryAfter: .seconds(1)) : .workerLost("its worker process \(end)")
    }

    /// Returns the reason to quarantine the image or the request that an exit indicates; nil for none.
    private static func reason(_ cause: WorkerExit.Cause) -> CrashQuarantine.Reason? {
        switch cause {
        case .crash, .denied, .breach: .source
        // The request may be the cause, not the image.
        case .timeout: .request
        // The kill may be unrelated to the image. The kernel also kills processes when memory is exhausted.
        case .killed: .suspectedRequest
        case .start, .sandbox, .environment: nil
        }
    }
}
