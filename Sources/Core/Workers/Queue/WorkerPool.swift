package import Admission
import Dispatch
package import Pipeline

/// A fixed number of workers on Dispatch, with a queue that is limited in length and in waiting time.
///
/// A job that cannot start before its deadline is rejected immediately. Clients have fair shares (``CostOrder``). Each
/// worker has a serial queue and its own resource (a detector or a process), which no other thread uses. The worker
/// waits for the job's memory; see ``MemoryBudget``.
package final class WorkerPool<Resource>: Sendable {
    /// The check and the repair of resources that can fail, such as processes.
    package struct HealthPolicy: Sendable {
        /// Whether the resource can be used for a job.
        var isHealthy: @Sendable (Resource) -> Bool
        /// Repairs the resource.
        ///
        /// Returns nil on success, otherwise the time until the next attempt.
        var repair: @Sendable (inout Resource) -> Duration?

        /// The policy for resources that never fail.
        package static var none: HealthPolicy { HealthPolicy(isHealthy: { _ in true }, repair: { _ in nil }) }
    }

    private let queue: DeadlineQueue<CostOrder, Worker<Resource>>
    private let health: HealthPolicy

    /// Starts the workers.
    ///
    /// An unhealthy worker does not get jobs until it has been repaired.
    ///
    /// - Parameters:
    ///   - configuration: The number of workers and the maximum number of waiting jobs.
    ///   - health: The check of workers, and the repair of unhealthy workers.
    ///   - time: The clock and the timer of the queue; tests replace it.
    ///   - makeResource: Creates the resource of a worker. It is called once for each worker before the initialiser
    ///     returns.
    /// - Throws: The error of `makeResource`.
    package init(
        _ configuration: PoolConfiguration,
        health: HealthPolicy = .none,
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

    /// The numbers of running and waiting jobs.
    ///
    /// ``PoolLoad/bytesInFlight`` is 0.
    package var load: PoolLoad {
        let load = queue.load
        return PoolLoad(running: load.running, waiting: load.waiting)
    }

    /// Whether all workers are busy and the queue is full.
    package var isSaturated: Bool { queue.isFull }

    /// Returns the refusal that a client's new job would get now if it has this deadline for its start; nil if it would
    /// be accepted.
    package func refusal(by deadline: ContinuousClock.Instant?, for client: Client? = nil) -> PipelineError? {
        queue.refusal(of: QueueJob(.usual, client: client), by: deadline).map(PipelineError.init)
    }

    /// Runs a job on a worker.
    ///
    /// If the calling task is cancelled, a waiting job is dropped. The context of a running job is cancelled.
    ///
    /// - Parameters:
    ///   - context: The job's deadline and cancellation.
    ///   - cost: The processor time of the job, relative to other jobs.
    ///   - job: The work. Its parameters are the worker's resource and the time that the job waited.
    /// - Returns: The result of the job.
    /// - Throws: ``PipelineError/overloaded(retryAfter:)``, immediately if the queue is full or too slow for the
    ///   deadline, otherwise at the deadline; ``PipelineError/cancelled``; or the error of the job.
    package func run<Output: Sendable>(
        _ context: JobContext = JobContext(),
        cost: JobCost = .usual,
        _ job: @escaping @Sendable (inout Resource, _ waited: Duration) throws(PipelineError) -> Output
    ) async throws(PipelineError) -> Output {
        let queuedAt = ContinuousClock.now
        let outcome: Result<Output, PipelineError>
        do {
            let queued = QueueJob(cost, client: context.limits.client)
            outcome = try await queue.run(queued, by: context.deadline, context.cancellation) { worker, end in
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

    /// Runs work that does not use the resource of its worker; see ``JobRunner/occupy(_:bytes:_:)``.
    func occupy<Output: Sendable>(
        _ context: JobContext,
        bytes: Int,
        of memory: MemoryBudget,
        _ work: @escaping @Sendable () -> Output
    ) async throws(PipelineError) -> Output {
        try await run(context, cost: .high) { _, _ throws(PipelineError) in
            try memory.take(bytes, context)
            defer { memory.give(bytes, of: context.limits.client) }
            try context.check()
            return work()
        }
    }

    /// Repairs idle workers whose resource is unhealthy.
    func repairIdle() {
        for worker in queue.removeIdle(where: { !health.isHealthy($0.resource) }) {
            worker.queue.async { self.repair(worker) }
        }
    }

    /// Repairs a worker on its own queue until this succeeds.
    ///
    /// Then the worker is idle.
    private func repair(_ worker: Worker<Resource>) {
        guard let delay = health.repair(&worker.resource) else { return queue.add(worker) }
        worker.queue.asyncAfter(deadline: .now() + .milliseconds(Int(delay / .milliseconds(1)))) { [weak self] in
            self?.repair(worker)
        }
    }
}

extension PipelineError {
    /// Creates the error for a job that a queue rejected.
    package init(_ refusal: QueueRefusal) {
        switch refusal {
        case .busy(let retryAfter): self = .overloaded(retryAfter: retryAfter)
        case .cancelled: self = .cancelled
        }
    }
}

/// A worker: a serial queue, and a resource that only jobs on this queue use.
///
/// Unchecked because the compiler cannot prove that `resource` is used only on `queue`. The pool assigns a worker to
/// one job at a time, and the job uses the resource only inside `queue.async`.
final class Worker<Resource>: @unchecked Sendable {
    let queue: DispatchQueue
    var resource: Resource

    init(number: Int, resource: Resource) {
        queue = DispatchQueue(label: "headroom.worker.\(number)", qos: .userInitiated)
        self.resource = resource
    }
}
