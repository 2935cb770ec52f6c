/// Decides which waiting job of a ``DeadlineQueue`` starts next.
package protocol TurnOrder: Sendable {
    associatedtype Job: Sendable

    /// The client that a job counts for; nil if it is unknown.
    func client(of job: Job) -> Client?

    /// The index of the waiting job that gets a free place; nil if none may start beside the running jobs.
    func next(in line: WaitingLine<Job>) -> Int?

    /// The index of the waiting job that gives up its place in a full line; nil if the new job is to be refused.
    func displaced(by job: Job, in line: WaitingLine<Job>) -> Int?

    /// How long a new job that cannot start at once is likely to wait.
    func wait(of job: Job, in line: WaitingLine<Job>) -> Duration
}

extension TurnOrder {
    package func client(of job: Job) -> Client? { nil }
}
