/// Decides which waiting job of a ``DeadlineQueue`` starts next.
package protocol TurnOrder: Sendable {
    associatedtype Job: Sendable

    /// The index of the waiting job that gets a free place; nil if none of them may start beside those that run.
    func next(in line: WaitingLine<Job>) -> Int?

    /// The index of the waiting job that gives up its place in a full line; nil if the new job is to be refused.
    func displaced(by job: Job, in line: WaitingLine<Job>) -> Int?

    /// How long a new job that cannot start at once is likely to wait.
    func wait(of job: Job, in line: WaitingLine<Job>) -> Duration
}

/// What a ``TurnOrder`` decides by.
package struct WaitingLine<Job> {
    /// Jobs that run, in no order.
    package let running: [Job]
    /// Jobs that wait, in the order in which they came.
    package var waiting: [Job]
    /// How many jobs can run at once.
    package let places: Int
    /// How long jobs take.
    package let estimate: TurnEstimate

    /// A line as given.
    package init(running: [Job], waiting: [Job], places: Int, estimate: TurnEstimate) {
        self.running = running
        self.waiting = waiting
        self.places = places
        self.estimate = estimate
    }
}
