/// A job for workers, in the form that their queue requires.
package struct QueueJob: Sendable {
    package let cost: JobCost
    /// The client whose fair share the job uses; nil if the client is unknown.
    package let client: Client?

    /// Creates a job with a cost.
    ///
    /// - Parameters:
    ///   - cost: The processor time of the job, relative to other jobs.
    ///   - client: The client whose fair share the job uses. Unknown clients (nil) count as one client.
    package init(_ cost: JobCost, client: Client? = nil) {
        self.cost = cost
        self.client = client
    }
}

/// Serves the client with the fewest running jobs first and, among equal clients, the client that has waited longest.
///
/// The jobs of one client are served in order of arrival. While other jobs are waiting, high-cost jobs get at most half
/// of the places.
///
/// A burst of jobs from one client therefore delays other clients by at most one job each. A burst of high-cost jobs
/// delays other jobs by at most one high-cost job each. If there are no other jobs, the jobs of one client, or
/// high-cost jobs, can use all places.
package struct CostOrder: TurnOrder {
    /// Creates the order, which is stateless.
    package init() {}

    package func client(of job: QueueJob) -> Client? { job.client }

    package func next(in line: WaitingLine<QueueJob>) -> Int? {
        let isHeldBack = heldBack(in: line)
        guard line.clients.count > 1 else {
            return line.waiting.firstIndex { !isHeldBack($0) } ?? line.waiting.indices.first
        }
        var best: (index: Int, turn: ClientTally.Turn)?
        for (index, job) in line.waiting.enumerated() where !isHeldBack(job) {
            let turn = line.clients.turn(of: job.client)
            if best.map({ turn < $0.turn }) ?? true { best = (index, turn) }
        }
        return best?.index ?? line.waiting.indices.first
    }

    /// Whether a waiting job must let other jobs start first because of its cost.
    private func heldBack(in line: WaitingLine<QueueJob>) -> (QueueJob) -> Bool {
        let reserved = reserved(line)
        guard line.waiting.contains(where: { $0.cost == .high }),
            line.running.count(where: { $0.cost == .high }) >= reserved
        else { return { _ in false } }
        if reserved > 0 {
            let hasOthers = line.waiting.contains { $0.cost == .usual }
            return { hasOthers && $0.cost == .high }
        }
        // With one place, usual jobs of one client must not hold back another client's high-cost jobs forever.
        let clients = Set(line.waiting.lazy.filter { $0.cost == .usual }.map(\.client))
        return { $0.cost == .high && clients.contains($0.client) }
    }

    /// Returns the last job of the client with the most waiting jobs.
    ///
    /// Returns nil, so that the new job is rejected, unless this client has more waiting jobs than the new job's client
    /// would have.
    package func displaced(by job: QueueJob, in line: WaitingLine<QueueJob>) -> Int? {
        guard let maximum = line.clients.maxWaiting, maximum.count > line.clients[job.client].waiting + 1 else {
            return nil
        }
        return line.waiting.lastIndex { $0.client == maximum.client }
    }

    package func wait(of job: QueueJob, in line: WaitingLine<QueueJob>) -> Duration {
        let isMixed = line.running.contains { $0.cost == .high } || line.waiting.contains { $0.cost == .high }
        guard job.cost == .usual, isMixed else {
            let ahead = jobsAhead(of: job, in: line) { line.clients[$0].waiting }
            return line.estimate.wait(behind: ahead, places: line.places)
        }
        let usual = Dictionary(
            line.waiting.lazy.filter { $0.cost == .usual }.map { ($0.client, 1) },
            uniquingKeysWith: +
        )
        let ahead = jobsAhead(of: job, in: line) { usual[$0] ?? 0 }
        return line.estimate.wait(behind: ahead, places: line.places - reserved(line))
    }

    /// Returns the number of waiting jobs that will probably start before a new job.
    ///
    /// The earlier jobs of the same client always start before the new job. The jobs of another client start before it
    /// until both clients have the same number of jobs.
    private func jobsAhead(
        of job: QueueJob,
        in line: WaitingLine<QueueJob>,
        _ waiting: (Client?) -> Int
    ) -> Int {
        let own = waiting(job.client)
        let level = line.clients[job.client].running + own + 1
        return line.clients.clients.reduce(own) { ahead, client in
            guard client != job.client else { return ahead }
            return ahead + min(waiting(client), max(0, level - line.clients[client].running))
        }
    }

    /// Returns the number of places that high-cost jobs can use while other jobs are waiting.
    private func reserved(_ line: WaitingLine<QueueJob>) -> Int { line.places / 2 }
}

/// Estimates the wait in a queue from the durations of earlier jobs.
package struct TurnEstimate: Sendable {
    /// The number of jobs in the average.
    ///
    /// It is small enough to follow changes, and large enough that a single long job does not cause rejections.
    private static let memory = 32

    /// The moving average of durations; zero until the first job has ended.
    private var typical = Duration.zero
    private var count = 0

    /// Creates the estimate for a queue that has not finished a job.
    ///
    /// Every estimated wait is zero.
    package init() {}

    /// Adds a job's duration to the average.
    package mutating func note(_ duration: Duration) {
        count = min(count + 1, Self.memory)
        typical += (duration - typical) / count
    }

    /// Returns the likely wait of a job that arrives now, if every place is taken.
    ///
    /// - Parameters:
    ///   - waiting: The number of jobs that are already waiting.
    ///   - places: The number of jobs that run at the same time.
    /// - Returns: The likely wait; zero until the first job has ended.
    package func wait(behind waiting: Int, places: Int) -> Duration {
        typical * (waiting + 1) / max(1, places)
    }
}
