/// The state of a queue, which a ``TurnOrder`` uses for its decisions.
package struct WaitingLine<Job> {
    /// The running jobs, in no particular order.
    package internal(set) var running: [Job]
    /// The waiting jobs, in order of arrival.
    package internal(set) var waiting: [Job]
    /// Maximum number of running jobs.
    package internal(set) var places: Int
    /// The average duration of jobs.
    package internal(set) var estimate: TurnEstimate
    /// The jobs of each client.
    package internal(set) var clients = ClientTally()

    /// Creates a line, with a tally of the clients of its jobs.
    ///
    /// - Parameters:
    ///   - running: The running jobs, in any order.
    ///   - waiting: The waiting jobs, in order of arrival.
    ///   - places: The maximum number of running jobs.
    ///   - estimate: The average duration of jobs so far.
    ///   - client: Returns the client whose fair share a job uses; by default, all clients are unknown.
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
