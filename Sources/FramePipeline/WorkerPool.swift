import Admission
import Dispatch
import Synchronization

/// A fixed number of workers on Dispatch, and a queue in front of them, bounded in length and in time, that refuses at once.
///
/// Work is admitted by the memory that it will need, known before it starts, so that the peak of all workers together is
/// known too. Each worker has a serial queue and a context of its own (its detector), which never meets another thread.
package final class WorkerPool<Context>: Sendable {
    /// How much runs at once, and how much may wait.
    package typealias Configuration = PoolConfiguration
    /// How busy the pool is.
    package typealias Load = PoolLoad

    /// Keeps contexts that may break, as a process may.
    struct Upkeep: Sendable {
        /// Whether a job may be given to the context.
        var isFit: @Sendable (Context) -> Bool
        /// Makes the context fit again, or says after what time to try the next time.
        var repair: @Sendable (inout Context) -> Duration?

        /// Of contexts that never break.
        static var none: Upkeep { Upkeep(isFit: { _ in true }, repair: { _ in nil }) }
    }

    private struct Ticket {
        let id: UInt64
        let bytes: Int
        /// When it must have been started.
        let deadline: ContinuousClock.Instant?
        let start: @Sendable (Worker<Context>) -> Void
        let abandon: @Sendable (PipelineError) -> Void
    }

    private struct State {
        var idle: [Worker<Context>]
        var waiting: [Ticket] = []
        var load = Load()
        var nextID: UInt64 = 0
        var estimate = TurnEstimate()

        /// How long a job that comes now is likely to wait.
        var wait: Duration { estimate.wait(behind: waiting.count, places: idle.count + load.running) }

        /// The refusal of a job, with the advice to come back when those that wait now have been done.
        var overloaded: PipelineError { .overloaded(retryAfter: max(.seconds(1), wait)) }
    }

    private let configuration: Configuration
    private let upkeep: Upkeep
    private let state: Mutex<State>
    /// Where waiting jobs are told that their time is over.
    private let clerk = DispatchQueue(label: "headroom.pool.deadlines")

    /// Starts the workers, each with a context of its own.
    package convenience init(_ configuration: Configuration, makeContext: () throws -> Context) rethrows {
        try self.init(configuration, upkeep: .none, makeContext: makeContext)
    }

    /// Starts the workers, each with a context of its own; those that are not fit yet get no job until they are repaired.
    init(_ configuration: Configuration, upkeep: Upkeep, makeContext: () throws -> Context) rethrows {
        self.configuration = configuration
        self.upkeep = upkeep
        var idle: [Worker<Context>] = []
        for number in 0..<configuration.workers {
            idle.append(Worker(number: number, context: try makeContext()))
        }
        state = Mutex(State(idle: idle))
        repairIdle()
    }

    /// How busy the pool is now.
    package var load: Load {
        state.withLock { state in
            var load = state.load
            load.waiting = state.waiting.count
            return load
        }
    }

    /// Whether the next job would be refused.
    ///
    /// Memory is left out: whether it suffices depends on the job.
    package var isSaturated: Bool { refusal(by: nil) != nil }

    /// Asks what would become of a job that came now, whatever memory it needs.
    ///
    /// - Parameter deadline: When it must have been started.
    /// - Returns: Why it would be refused; nil when it would be taken.
    package func refusal(by deadline: ContinuousClock.Instant?) -> PipelineError? {
        state.withLock { state in
            let mustWait = state.idle.isEmpty || !state.waiting.isEmpty
            return mustWait ? refusal(by: deadline, state) : nil
        }
    }

    /// Runs a job on a worker.
    ///
    /// When the calling task is cancelled, a waiting job is dropped, and a running one is told by its ``Cancellation``.
    ///
    /// - Parameters:
    ///   - bytes: The memory that the job will need.
    ///   - deadline: When it must have been started; nil lets it wait as long as it takes.
    ///   - job: The work; it gets the worker's context, the time it waited, and a way to learn that nobody waits for it.
    /// - Returns: What the job returns.
    /// - Throws: ``PipelineError/overloaded(retryAfter:)`` at once when the queue is full or too slow for the deadline, and
    ///   when that has passed; ``PipelineError/tooMuchMemory(bytes:limit:)``, ``PipelineError/cancelled``, or what the job
    ///   throws.
    package func run<Result: Sendable>(
        bytes: Int,
        by deadline: ContinuousClock.Instant? = nil,
        _ job: @escaping @Sendable (inout Context, Duration, Cancellation) throws(PipelineError) -> Result
    ) async throws(PipelineError) -> Result {
        guard bytes <= configuration.maxBytesInFlight else {
            throw .tooMuchMemory(bytes: bytes, limit: configuration.maxBytesInFlight)
        }
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        let cancellation = Cancellation()
        let queuedAt = ContinuousClock.now
        let outcome: Swift.Result<Result, PipelineError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ticket = Ticket(
                    id: id,
                    bytes: bytes,
                    deadline: deadline,
                    start: { worker in
                        worker.queue.async {
                            let startedAt = ContinuousClock.now
                            let outcome = Swift.Result { () throws(PipelineError) in
                                try cancellation.check()
                                return try job(&worker.context, startedAt - queuedAt, cancellation)
                            }
                            let isFit = self.upkeep.isFit(worker.context)
                            // A job that was dropped says nothing about how long others take.
                            let duration = cancellation.isCancelled ? nil : .now - startedAt
                            self.finished(isFit ? worker : nil, bytes: bytes, after: duration)
                            continuation.resume(returning: outcome)
                            if !isFit { self.repair(worker) }
                        }
                    },
                    abandon: { continuation.resume(returning: .failure($0)) }
                )
                if let refusal = enqueue(ticket) { continuation.resume(returning: .failure(refusal)) }
                // A cancellation before the ticket was in the queue found nothing to drop.
                if cancellation.isCancelled { drop(id) { _ in .cancelled } }
            }
        } onCancel: {
            cancellation.cancel()
            drop(id) { _ in .cancelled }
        }
        return try outcome.get()
    }

    /// Puts a job in the queue and, in the same step, starts it when its turn has come: a free worker that is seen twice
    /// would have the second of two jobs refused.
    private func enqueue(_ ticket: Ticket) -> PipelineError? {
        let (refusal, worker): (PipelineError?, Worker<Context>?) = state.withLock { state in
            let mustWait = state.idle.isEmpty || !state.waiting.isEmpty || !hasRoom(for: ticket, state)
            if mustWait, let reason = self.refusal(by: ticket.deadline, state) { return (reason, nil) }
            state.waiting.append(ticket)
            return (nil, mustWait ? nil : takeFirst(&state)?.worker)
        }
        if let worker {
            ticket.start(worker)
        } else if refusal == nil, let deadline = ticket.deadline {
            expire(ticket.id, at: deadline)
        }
        return refusal
    }

    /// Why a job is not even let wait, when it would have to.
    private func refusal(by deadline: ContinuousClock.Instant?, _ state: borrowing State) -> PipelineError? {
        if state.waiting.count >= configuration.queueLimit { return state.overloaded }
        guard let deadline, .now + state.wait > deadline else { return nil }
        return state.overloaded
    }

    /// Refuses a job if it still waits at its deadline.
    private func expire(_ id: UInt64, at deadline: ContinuousClock.Instant) {
        let rest = max(.zero, deadline - .now)
        clerk.asyncAfter(deadline: .now() + rest / .seconds(1)) { [weak self] in self?.drop(id) { $0.overloaded } }
    }

    private func hasRoom(for ticket: Ticket, _ state: borrowing State) -> Bool {
        state.load.bytesInFlight + ticket.bytes <= configuration.maxBytesInFlight
    }

    /// Starts waiting jobs in their order while there is a worker and memory for the first of them.
    private func startWhatFits() {
        while let (ticket, worker) = state.withLock({ takeFirst(&$0) }) {
            ticket.start(worker)
        }
    }

    private func takeFirst(_ state: inout State) -> (ticket: Ticket, worker: Worker<Context>)? {
        guard let ticket = state.waiting.first, hasRoom(for: ticket, state), let worker = state.idle.popLast()
        else { return nil }
        state.waiting.removeFirst()
        state.load.running += 1
        state.load.bytesInFlight += ticket.bytes
        return (ticket, worker)
    }

    /// Accounts for a job that is over; `worker` is nil when it is not fit for the next one.
    private func finished(_ worker: Worker<Context>?, bytes: Int, after duration: Duration?) {
        state.withLock { state in
            state.load.running -= 1
            state.load.bytesInFlight -= bytes
            if let duration { state.estimate.note(duration) }
            if let worker { state.idle.append(worker) }
        }
        startWhatFits()
    }

    /// Repairs workers that have no job and broke by themselves.
    func repairIdle() {
        let broken: [Worker<Context>] = state.withLock { state in
            // Nothing else looks at the context of a worker that is idle, and it stays idle as long as the lock is held.
            let broken = state.idle.filter { !upkeep.isFit($0.context) }
            state.idle.removeAll { worker in broken.contains { $0 === worker } }
            return broken
        }
        for worker in broken { worker.queue.async { self.repair(worker) } }
    }

    /// Repairs a worker on its own queue, now and again until that succeeds, and lets it work then.
    private func repair(_ worker: Worker<Context>) {
        if let delay = upkeep.repair(&worker.context) {
            worker.queue.asyncAfter(deadline: .now() + .milliseconds(Int(delay / .milliseconds(1)))) { [weak self] in
                self?.repair(worker)
            }
            return
        }
        state.withLock { $0.idle.append(worker) }
        startWhatFits()
    }

    /// Takes a job out of the queue, if it still waits there.
    private func drop(_ id: UInt64, because reason: (borrowing State) -> PipelineError) {
        let dropped: (ticket: Ticket, reason: PipelineError)? = state.withLock { state in
            guard let index = state.waiting.firstIndex(where: { $0.id == id }) else { return nil }
            return (state.waiting.remove(at: index), reason(state))
        }
        guard let dropped else { return }
        dropped.ticket.abandon(dropped.reason)
        startWhatFits()
    }
}
