/// Decides which waiting job of a ``DeadlineQueue`` starts next.
package protocol TurnOrder: Sendable {
    associatedtype Job: Sendable

    /// Returns the client that a job counts for; nil if the client is unknown.
    func client(of job: Job) -> Client?

    /// Returns the index of the waiting job that gets a free place; nil if no job may start in addition to the running
    /// jobs.
    func next(in line: WaitingLine<Job>) -> Int?

    /// Returns the index of the waiting job to drop from a full line; nil if the new job is to be rejected.
    func displaced(by job: Job, in line: WaitingLine<Job>) -> Int?

    /// Returns the likely wait of a new job that cannot start immediately.
    func wait(of job: Job, in line: WaitingLine<Job>) -> Duration
}

extension TurnOrder {
    package func client(of job: Job) -> Client? { nil }
}
