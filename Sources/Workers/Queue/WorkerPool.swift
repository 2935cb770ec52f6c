package import Admission
import Dispatch
package import Pipeline

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

    private let queue: DeadlineQueue<CostOrder, Worker<Resource>>
    private let health: HealthPolicy

    /// Starts the workers, each with a resource of its own; tests replace the time.
    package convenience init(
        _ configuration: PoolConfiguration,
        time: QueueTime = .system,
        makeResource: () throws -> Resource
    ) rethrows {
        try self.init(configuration, health: .none, time: time, makeResource: makeResource)
    }

    /// Starts the workers, each with a resource of its own; unhealthy ones get no job until they are repaired.
    init(
        _ configuration: PoolConfiguration,
        health: HealthPolicy,
        time: QueueTime = .system,
        makeResource: () throws -> Resource
    ) rethrows {
        self.health = health
        queue = DeadlineQueue(
            places: try (0..<configuration.workers).map { Worker(number: $0, resource: try makeResource()) },
            waitingLimit: configuration.queueLimit,
            order: CostOrder(),
            time: time
        )
        repairIdle()
    }

    /// How busy the pool is now; bytes are not counted here.
    package var load: PoolLoad {
        let load = queue.load
        return PoolLoad(running: load.running, waiting: load.waiting)
    }

    /// Whether the next job would be refused.
    package var isSaturated: Bool { refusal(by: nil) != nil }

    /// Why a job that came now would be refused.
    ///
    /// - Parameter deadline: When it must have been started; nil sets no limit.
    /// - Returns: The refusal; nil when the job would be accepted.
    package func refusal(by deadline: ContinuousClock.Instant?) -> PipelineError? {
        queue.refusal(of: .usual, by: deadline).map(PipelineError.init)
    }

    /// Runs a job on a worker.
    ///
    /// When the calling task is cancelled, a waiting job is dropped, and the context of a running one is cancelled.
    ///
    /// - Parameters:
    ///   - context: The job's deadline and cancellation.
    ///   - cost: The processor time of the job, compared with others.
    ///   - job: The work; its parameters are the worker's resource and the time that the job waited.
    /// - Returns: What the job returns.
    /// - Throws: ``PipelineError/overloaded(retryAfter:)`` at once when the queue is full or too slow for the deadline, and
    ///   when that has passed; ``PipelineError/cancelled``, or what the job throws.
    package func run<Output: Sendable>(
        _ context: JobContext = JobContext(),
        cost: JobCost = .usual,
        _ job: @escaping @Sendable (inout Resource, _ waited: Duration) throws(PipelineError) -> Output
    ) async throws(PipelineError) -> Output {
        let queuedAt = ContinuousClock.now
        let outcome: Result<Output, PipelineError>
        do {
            outcome = try await queue.run(cost, by: context.deadline, context.cancellation) { worker, end in
                worker.queue.async { [self] in
                    let outcome = Result { () throws(PipelineError) in
                        try context.check()
                        return try job(&worker.resource, .now - queuedAt)
                    }
                    let isHealthy = health.isHealthy(worker.resource)
                    end(outcome, isHealthy)
                    if !isHealthy { repair(worker) }
                }
            }
        } catch {
            throw PipelineError(error)
        }
        return try outcome.get()
    }

    /// Repairs workers that broke while they were idle.
    func repairIdle() {
        for worker in queue.removeIdle(where: { !health.isHealthy($0.resource) }) {
            worker.queue.async { self.repair(worker) }
        }
    }

    /// Repairs a worker on its own queue, again and again until that succeeds; then it is idle.
    private func repair(_ worker: Worker<Resource>) {
        guard let delay = health.repair(&worker.resource) else { return queue.add(worker) }
        worker.queue.asyncAfter(deadline: .now() + .milliseconds(Int(delay / .milliseconds(1)))) { [weak self] in
            self?.repair(worker)
        }
    }
}

extension PipelineError {
    fileprivate init(_ refusal: QueueRefusal) {
        switch refusal {
        case .busy(let retryAfter): self = .overloaded(retryAfter: retryAfter)
        case .cancelled: self = .cancelled
        }
    }
}
