/// Decides which waiting job of a ``DeadlineQueue`` starts next.
package protocol TurnOrder: Sendable {
    associatedtype Job: Sendable

    /// Returns the client whose fair share a job uses; nil if the client is unknown.
    func client(of job: Job) -> Client?

    /// Returns the index of the waiting job that gets a free place; nil if no waiting job may start now.
    func next(in line: WaitingLine<Job>) -> Int?

    /// Returns the index of the waiting job to drop from a full queue; nil to reject the new job.
    func displaced(by job: Job, in line: WaitingLine<Job>) -> Int?

    /// Returns the likely wait of a new job that cannot start immediately.
    func wait(of job: Job, in line: WaitingLine<Job>) -> Duration
}

extension TurnOrder {
    package func client(of job: Job) -> Client? { nil }
}
