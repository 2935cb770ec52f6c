/// The state of a queue for the decisions of a ``TurnOrder``.
package struct WaitingLine<Job> {
    /// Running jobs, in no order.
    package internal(set) var running: [Job]
    /// Waiting jobs, in order of arrival.
    package internal(set) var waiting: [Job]
    /// Maximum number of running jobs.
    package internal(set) var places: Int
    /// The average duration of jobs.
    package internal(set) var estimate: TurnEstimate
    /// The jobs of each client.
    package internal(set) var clients = ClientTally()

    /// Creates a line with a tally of its clients.
    ///
    /// - Parameters:
    ///   - running: Running jobs, in any order.
    ///   - waiting: Waiting jobs, in order of arrival.
    ///   - places: The maximum number of running jobs.
    ///   - estimate: The average duration of jobs so far.
    ///   - client: The client that a job counts for; by default unknown.
    package init(
        running: [Job],
        waiting: [Job],
        places: Int,
        estimate: TurnEstimate,
        client: (Job) -> Client? = { _ in nil }
    ) {
        self.running = running
        self.waiting = waiting
        self.places = places
        self.estimate = estimate
        for job in running {
            clients.arrive(client(job))
            clients.start(client(job))
        }
        for job in waiting { clients.arrive(client(job)) }
    }
}
