/// Decides which waiting job of a ``DeadlineQueue`` starts next.
package protocol TurnOrder: Sendable {
    associatedtype Job: Sendable

    /// The index of the waiting job that gets a free place; nil if none may start beside the running jobs.
    func next(in line: WaitingLine<Job>) -> Int?

    /// The index of the waiting job that gives up its place in a full line; nil if the new job is to be refused.
    func displaced(by job: Job, in line: WaitingLine<Job>) -> Int?

    /// How long a new job that cannot start at once is likely to wait.
    func wait(of job: Job, in line: WaitingLine<Job>) -> Duration
}

/// The state of a queue, by which a ``TurnOrder`` decides.
package struct WaitingLine<Job> {
    /// Running jobs, in no order.
    package let running: [Job]
    /// Waiting jobs, in order of arrival.
    package var waiting: [Job]
    /// Maximum number of running jobs.
    package let places: Int
    /// The average duration of jobs.
    package let estimate: TurnEstimate

    package init(running: [Job], waiting: [Job], places: Int, estimate: TurnEstimate) {
        self.running = running
        self.waiting = waiting
        self.places = places
        self.estimate = estimate
    }
}

/// The processor time that a job may take, compared with others.
package enum JobCost: Sendable {
    /// That of most jobs.
    case usual
    /// Several times that of most jobs.
    case high
}

/// First come, first served, but while other jobs wait, those of high cost get at most half of the places.
///
/// A burst of costly jobs therefore delays others by at most one costly job each. Without others, costly jobs use all
/// places.
package struct CostOrder: TurnOrder {
    package init() {}

    package func next(in line: WaitingLine<JobCost>) -> Int? {
        guard line.waiting.first == .high, line.running.count(where: { $0 == .high }) >= reserved(line) else {
            return line.waiting.indices.first
        }
        return line.waiting.firstIndex(of: .usual) ?? line.waiting.indices.first
    }

    package func displaced(by job: JobCost, in line: WaitingLine<JobCost>) -> Int? { nil }

    package func wait(of job: JobCost, in line: WaitingLine<JobCost>) -> Duration {
        guard job == .usual, (line.running + line.waiting).contains(.high) else {
            return line.estimate.wait(behind: line.waiting.count, places: line.places)
        }
        let ahead = line.waiting.count { $0 == .usual }
        return line.estimate.wait(behind: ahead, places: line.places - reserved(line))
    }

    /// The number of places that costly jobs may have while others wait.
    private func reserved(_ line: WaitingLine<JobCost>) -> Int { line.places / 2 }
}

/// Estimates the wait in a queue from the durations of earlier jobs.
package struct TurnEstimate: Sendable {
    /// The number of jobs in the average: few enough to follow changes, and enough that a single long job causes no
    /// refusals.
    private static let memory = 32

    /// Moving average of durations; zero before the first job has ended.
    private var typical = Duration.zero
    private var count = 0

    package init() {}

    /// Adds a job's duration to the average.
    package mutating func note(_ duration: Duration) {
        count = min(count + 1, Self.memory)
        typical += (duration - typical) / count
    }

    /// The likely wait of a new job behind others, while every place is taken; zero before the first job has ended.
    package func wait(behind waiting: Int, places: Int) -> Duration {
        typical * (waiting + 1) / max(1, places)
    }
}
