import Admission
import Dispatch
package import Pipeline
import Synchronization

/// A fixed number of workers on Dispatch, and a queue in front of them that is bounded in length and in time.
///
/// A job that cannot have its turn in time is refused at once. Each worker has a serial queue and a resource of its own
/// (a detector or a process), which no other thread uses. Memory is admitted on the worker; see ``MemoryBudget``.
package final class WorkerPool<Resource>: Sendable {
    /// How resources that may break, such as processes, are checked and repaired.
    struct HealthPolicy: Sendable {
        /// Whether the resource can be used for a job.
        var isHealthy: @Sendable (Resource) -> Bool
        /// Repairs the resource; returns nil on success, else the time until the next try.
        var repair: @Sendable (inout Resource) -> Duration?

        /// For resources that never break.
        static var none: HealthPolicy { HealthPolicy(isHealthy: { _ in true }, repair: { _ in nil }) }
    }

    private struct Ticket {
        let id: UInt64
        let deadline: ContinuousClock.Instant?
        let start: @Sendable (Worker<Resource>) -> Void
        let abandon: @Sendable (PipelineError) -> Void
    }

    private struct State {
        var idle: [Worker<Resource>]
        var waiting: [Ticket] = []
        var running = 0
        var nextID: UInt64 = 0
        var estimate = TurnEstimate()

        /// How long a job that comes now is likely to wait.
        var wait: Duration { estimate.wait(behind: waiting.count, places: idle.count + running) }

        /// The refusal of a job, with the advice to come back when those that wait now have been done.
        var overloaded: PipelineError { .overloaded(retryAfter: max(.seconds(1), wait)) }
    }

    private let configuration: PoolConfiguration
    private let health: HealthPolicy
    private let state: Mutex<State>
    /// Refuses jobs that still wait at their deadline.
    private let deadlines = DispatchQueue(label: "headroom.pool.deadlines")

    /// Starts the workers, each with a resource of its own.
    package convenience init(_ configuration: PoolConfiguration, makeResource: () throws -> Resource) rethrows {
        try self.init(configuration, health: .none, makeResource: makeResource)
    }

    /// Starts the workers, each with a resource of its own; unhealthy ones get no job until they are repaired.
    init(_ configuration: PoolConfiguration, health: HealthPolicy, makeResource: () throws -> Resource) rethrows {
        self.configuration = configuration
        self.health = health
        var idle: [Worker<Resource>] = []
        for number in 0..<configuration.workers {
            idle.append(Worker(number: number, resource: try makeResource()))
        }
        state = Mutex(State(idle: idle))
        repairIdle()
    }

    /// How busy the pool is now; bytes are not counted here.
    package var load: PoolLoad {
        state.withLock { PoolLoad(running: $0.running, waiting: $0.waiting.count) }
    }

    /// Whether the next job would be refused.
    package var isSaturated: Bool { refusal(by: nil) != nil }

    /// Why a job that came now would be refused.
    ///
    /// - Parameter deadline: When it must have been started; nil sets no limit.
    /// - Returns: The refusal; nil when the job would be accepted.
    package func refusal(by deadline: ContinuousClock.Instant?) -> PipelineError? {
        state.withLock { state in
            let mustWait = state.idle.isEmpty || !state.waiting.isEmpty
            return mustWait ? refusal(by: deadline, state) : nil
        }
    }

    /// Runs a job on a worker.
    ///
    /// When the calling task is cancelled, a waiting job is dropped, and the context of a running one is cancelled.
    ///
    /// - Parameters:
    ///   - context: The job's deadline and cancellation.
    ///   - job: The work; its parameters are the worker's resource and the time that the job waited.
    /// - Returns: What the job returns.
    /// - Throws: ``PipelineError/overloaded(retryAfter:)`` at once when the queue is full or too slow for the deadline, and
    ///   when that has passed; ``PipelineError/cancelled``, or what the job throws.
    package func run<Result: Sendable>(
        _ context: JobContext = JobContext(),
        _ job: @escaping @Sendable (inout Resource, _ waited: Duration) throws(PipelineError) -> Result
    ) async throws(PipelineError) -> Result {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        let queuedAt = ContinuousClock.now
        let outcome: Swift.Result<Result, PipelineError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ticket = Ticket(
                    id: id,
                    deadline: context.deadline,
                    start: { worker in
                        worker.queue.async {
                            let startedAt = ContinuousClock.now
                            let outcome = Swift.Result { () throws(PipelineError) in
                                try context.check()
                                return try job(&worker.resource, startedAt - queuedAt)
                            }
                            let isHealthy = self.health.isHealthy(worker.resource)
                            // The duration of a cancelled job is no measure for others.
                            let duration = context.cancellation.isCancelled ? nil : .now - startedAt
                            self.finished(isHealthy ? worker : nil, after: duration)
                            continuation.resume(returning: outcome)
                            if !isHealthy { self.repair(worker) }
                        }
                    },
                    abandon: { continuation.resume(returning: .failure($0)) }
                )
                if let refusal = enqueue(ticket) { continuation.resume(returning: .failure(refusal)) }
                // A cancellation before the ticket was in the queue found nothing to drop.
                if context.cancellation.isCancelled { drop(id) { _ in .cancelled } }
            }
        } onCancel: {
            context.cancellation.cancel()
            drop(id) { _ in .cancelled }
        }
        return try outcome.get()
    }

    /// Puts a job in the queue and, under the same lock, starts it when its turn has come: if two jobs saw the same idle
    /// worker, the second would be refused.
    private func enqueue(_ ticket: Ticket) -> PipelineError? {
        let (refusal, worker): (PipelineError?, Worker<Resource>?) = state.withLock { state in
            let mustWait = state.idle.isEmpty || !state.waiting.isEmpty
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

    /// Why a job that would have to wait is refused at once.
    private func refusal(by deadline: ContinuousClock.Instant?, _ state: borrowing State) -> PipelineError? {
        if state.waiting.count >= configuration.queueLimit { return state.overloaded }
        guard let deadline, .now + state.wait > deadline else { return nil }
        return state.overloaded
    }

    /// Refuses a job if it still waits at its deadline.
    private func expire(_ id: UInt64, at deadline: ContinuousClock.Instant) {
        let rest = max(.zero, deadline - .now)
        deadlines.asyncAfter(deadline: .now() + rest / .seconds(1)) { [weak self] in self?.drop(id) { $0.overloaded } }
    }

    /// Starts waiting jobs in their order while there are idle workers.
    private func startWaiting() {
        while let (ticket, worker) = state.withLock({ takeFirst(&$0) }) {
            ticket.start(worker)
        }
    }

    private func takeFirst(_ state: inout State) -> (ticket: Ticket, worker: Worker<Resource>)? {
        guard !state.waiting.isEmpty, let worker = state.idle.popLast() else { return nil }
        state.running += 1
        return (state.waiting.removeFirst(), worker)
    }

    /// Accounts for a job that has ended; `worker` is nil when it has to be repaired before the next one.
    private func finished(_ worker: Worker<Resource>?, after duration: Duration?) {
        state.withLock { state in
            state.running -= 1
            if let duration { state.estimate.note(duration) }
            if let worker { state.idle.append(worker) }
        }
        startWaiting()
    }

    /// Repairs workers that broke while they were idle.
    func repairIdle() {
        let broken: [Worker<Resource>] = state.withLock { state in
            // Nothing else reads the resource of an idle worker, and it stays idle as long as the lock is held.
            let broken = state.idle.filter { !health.isHealthy($0.resource) }
            state.idle.removeAll { worker in broken.contains { $0 === worker } }
            return broken
        }
        for worker in broken { worker.queue.async { self.repair(worker) } }
    }

    /// Repairs a worker on its own queue, again and again until that succeeds; then it is idle.
    private func repair(_ worker: Worker<Resource>) {
        if let delay = health.repair(&worker.resource) {
            worker.queue.asyncAfter(deadline: .now() + .milliseconds(Int(delay / .milliseconds(1)))) { [weak self] in
                self?.repair(worker)
            }
            return
        }
        state.withLock { $0.idle.append(worker) }
        startWaiting()
    }

    /// Takes a job out of the queue, if it still waits there.
    private func drop(_ id: UInt64, because reason: (borrowing State) -> PipelineError) {
        let dropped: (ticket: Ticket, reason: PipelineError)? = state.withLock { state in
            guard let index = state.waiting.firstIndex(where: { $0.id == id }) else { return nil }
            return (state.waiting.remove(at: index), reason(state))
        }
        if let dropped { dropped.ticket.abandon(dropped.reason) }
    }
}
