import ImageCodec
import Isolation
import Synchronization

/// A place for one worker process: the process that has it now, and whoever replaces that one.
///
/// Jobs and repairs come from the pool, one at a time; only ``isReady``, ``processID`` and ``rest()`` are asked on any thread.
final class ProcessWorker: Sendable {
    /// What the places share.
    struct Surroundings: Sendable {
        let configuration: ProcessConfiguration
        let limits: PipelineLimits
        let memory: MemoryBudget
        let refused: RefusedSources
        let journal: WorkerJournal
        /// Called when a process has ended by itself.
        let onExit: @Sendable () -> Void
    }

    private struct State {
        /// One that is ready.
        var process: WorkerProcess?
        /// One that was started and has not greeted yet.
        var starting: WorkerProcess?
        var greeting: WorkerGreeting?
        var startedAt = ContinuousClock.now
        var hasWorked = false
        /// Starts in a row that led to nothing.
        var failures = 0
        var nextJob: UInt64 = 0
    }

    /// What lies between two starts of a process that dies before it does anything: this, doubled each time, up to
    /// ``longestPause``.
    private static let firstPause = Duration.milliseconds(100)
    private static let longestPause = Duration.seconds(5)
    /// A process that ends sooner than this without having worked could as well not have started.
    private static let shortestLife = Duration.seconds(1)

    private let surroundings: Surroundings
    private let state = Mutex(State())

    init(_ surroundings: Surroundings) { self.surroundings = surroundings }

    deinit {
        let (process, starting) = state.withLock { ($0.process, $0.starting) }
        process?.end()
        starting?.end()
    }

    /// Whether there is a process that could do a job now.
    var isReady: Bool { state.withLock { $0.process?.isRunning ?? false } }

    /// The number of the process that is ready, for tests and logs.
    var processID: Int32? { state.withLock { $0.process?.processID } }

    /// Lets the process give back what it keeps for the next job.
    func rest() { state.withLock { $0.process }?.rest() }

    /// Starts a process without waiting for it.
    func begin() throws(WorkerEnd) {
        let onExit = surroundings.onExit
        let process = try WorkerProcess.start(
            surroundings.configuration.command,
            timeout: surroundings.configuration.jobTimeout,
            onExit: onExit
        )
        state.withLock { state in
            state.starting = process
            state.startedAt = .now
            state.hasWorked = false
        }
    }

    /// Waits for the process that was started.
    @discardableResult
    func finishStart() throws(WorkerEnd) -> WorkerGreeting {
        if state.withLock({ $0.starting == nil }) { try begin() }
        guard let process = state.withLock({ $0.starting }) else { throw .init(.start, "a worker process is missing") }
        defer { state.withLock { $0.starting = nil } }
        let head = try process.greeting(within: surroundings.configuration.startTimeout)
        guard let greeting = try? WorkerWire.value(WorkerGreeting.self, from: head) else {
            throw process.end(breach: "its greeting cannot be read")
        }
        state.withLock { state in
            state.process = process
            state.greeting = greeting
        }
        return greeting
    }

    /// Puts a process in the place of one that is gone; says how long to wait before the next try if that fails.
    func repair() -> Duration? {
        if isReady { return nil }
        bury()
        do {
            let isFirst = state.withLock { $0.greeting == nil }
            // A process that dies as soon as it is there must not be replaced as fast as it can die.
            if let pause = state.withLock({ Self.pause(&$0) }) { return pause }
            try finishStart()
            if !isFirst { surroundings.journal.restarted() }
            return nil
        } catch {
            surroundings.journal.ended(error, during: "start")
            return state.withLock { state in
                state.failures += 1
                return Self.pause(after: state.failures)
            }
        }
    }

    /// Does a job in the process, if there is memory for it before the deadline.
    func run(
        _ job: FrameJob,
        by deadline: ContinuousClock.Instant?,
        _ cancellation: Cancellation,
        found: (FaceFindings) -> Void
    ) throws(PipelineError) -> FrameResult {
        var outcome = attempt(job, by: deadline, cancellation, found)
        if case .notTaken(let end) = outcome {
            // It died before it looked at the job, which is not to suffer for that.
            forget()
            surroundings.journal.ended(end, during: "rest")
            do {
                try finishStart()
            } catch {
                surroundings.journal.ended(error, during: "start")
                throw .workerLost("\(error)")
            }
            surroundings.journal.restarted()
            outcome = attempt(job, by: deadline, cancellation, found)
        }
        switch outcome {
        case .done(let result): return result
        case .failed(let error): throw error
        case .notTaken(let end), .lost(let end): throw lost(end, job)
        }
    }

    /// What became of a job.
    private enum Outcome {
        /// All is well.
        case done(FrameResult)
        /// The process was dead before it could take the job.
        case notTaken(WorkerEnd)
        /// The process died of it, or was killed meanwhile.
        case lost(WorkerEnd)
        /// The job has an error for an answer.
        case failed(PipelineError)
    }

    private func attempt(
        _ job: FrameJob,
        by deadline: ContinuousClock.Instant?,
        _ cancellation: Cancellation,
        _ found: (FaceFindings) -> Void
    ) -> Outcome {
        let (process, greeting, number) = state.withLock { state in
            state.nextJob += 1
            return (state.process, state.greeting, state.nextJob)
        }
        guard let process, let greeting else { return .notTaken(WorkerEnd(.killed, "is missing")) }
        let head: [UInt8]
        do {
            head = try WorkerWire.bytes(of: WorkerRequest(job, limits: surroundings.limits))
        } catch {
            return .failed(.workerLost("the job cannot be told: \(error)"))
        }
        cancellation.notify { process.cancel(job: number) }
        defer { cancellation.notify(nil) }
        let base =
            greeting.addressSpaceBytes + surroundings.configuration.spareBytes + 2 * job.source.count + head.count
        var taken: Int?
        defer { if let taken { surroundings.memory.give(taken) } }
        do {
            let reply = try process.perform(number, head: head, body: job.source, memory: base) { bytes in
                Result { () throws(PipelineError) in
                    try surroundings.memory.take(bytes, by: deadline)
                    taken = bytes
                    return base + bytes
                }
            }
            defer { if process.isRunning { process.forget() } }
            let result = try read(try reply.get(), of: job, from: process, greeting, found)
            state.withLock { state in
                state.hasWorked = true
                state.failures = 0
            }
            return .done(result)
        } catch let error as PipelineError {
            return .failed(error)
        } catch let end as WorkerEnd {
            return taken == nil && end.cause == .killed ? .notTaken(end) : .lost(end)
        } catch {
            return .failed(.workerLost("\(error)"))
        }
    }

    private func read(
        _ reply: WorkerProcess.Reply,
        of job: FrameJob,
        from process: WorkerProcess,
        _ greeting: WorkerGreeting,
        _ found: (FaceFindings) -> Void
    ) throws -> FrameResult {
        guard let answer = try? WorkerWire.value(WorkerAnswer.self, from: reply.head) else {
            throw process.end(breach: "its answer cannot be read")
        }
        let check = AnswerCheck(job: job, limits: surroundings.limits, detectorName: greeting.detectorName)
        if let problem = check.problem(in: answer, bodyBytes: reply.bodyBytes) {
            throw process.end(breach: "its answer has \(problem)")
        }
        if let findings = answer.findings { found(findings) }
        if let error = answer.error { throw error }
        guard var result = answer.result else { throw process.end(breach: "its answer is empty") }
        var offset = 0
        var images: [[UInt8]] = []
        for count in answer.imageBytes {
            images.append(try process.body(of: reply, at: offset, count: count))
            offset += count
        }
        if var image = result.image {
            image.bytes = images.removeFirst()
            result.image = image
        }
        for (index, bytes) in images.enumerated() { result.images[index].bytes = bytes }
        for image in [result.image].compactMap(\.self) + result.images
        where ImageFormat.sniff(image.bytes) != image.format {
            throw process.end(breach: "its answer has an image of another type")
        }
        return result
    }

    private func lost(_ end: WorkerEnd, _ job: FrameJob) -> PipelineError {
        forget()
        surroundings.journal.ended(end, during: "job")
        // Somebody who kills processes need not mean the picture; the kernel does, when memory ends.
        surroundings.refused.add(job.source, isCertain: end.cause != .killed)
        return .workerLost("its worker process \(end)")
    }

    /// Lets go of a process that has been ended.
    private func forget() {
        state.withLock { state in
            state.process?.end()
            state.process = nil
        }
    }

    /// Notes the end of a process that died without a job.
    private func bury() {
        guard let process = state.withLock({ $0.process }) else { return }
        let end = process.end()
        state.withLock { state in
            state.process = nil
            if !state.hasWorked, .now - state.startedAt < Self.shortestLife { state.failures += 1 }
        }
        surroundings.journal.ended(end, during: "rest")
    }

    private static func pause(_ state: inout State) -> Duration? {
        guard state.failures > 0 else { return nil }
        let rest = state.startedAt + pause(after: state.failures) - .now
        return rest > .zero ? rest : nil
    }

    private static func pause(after failures: Int) -> Duration {
        min(longestPause, firstPause * (1 << min(failures - 1, 10)))
    }
}
