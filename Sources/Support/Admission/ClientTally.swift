/// The numbers of each client's running and waiting jobs in a queue.
///
/// They determine the order of clients' turns.
package struct ClientTally: Sendable {
    /// The jobs of one client.
    package struct Jobs: Sendable {
        package fileprivate(set) var running = 0
        package fileprivate(set) var waiting = 0
        /// The start of the client's wait for a turn, as a number that increases over time.
        fileprivate var since: UInt64 = 0
    }

    /// A client's position among other clients.
    ///
    /// The smallest is next.
    package struct Turn: Comparable, Sendable {
        fileprivate let running: Int
        fileprivate let since: UInt64

        package static func < (left: Turn, right: Turn) -> Bool {
            (left.running, left.since) < (right.running, right.since)
        }
    }

    private var jobs: [Client?: Jobs] = [:]
    private var now: UInt64 = 0

    /// Creates a tally without jobs.
    package init() {}

    /// The number of clients with jobs.
    package var count: Int { jobs.count }

    /// The clients with jobs, in no particular order.
    package var clients: Dictionary<Client?, Jobs>.Keys { jobs.keys }

    /// The jobs of a client, 0 if there are none; nil means all unknown clients together.
    package subscript(client: Client?) -> Jobs { jobs[client] ?? Jobs() }

    /// Returns the turn of a client with a waiting job.
    ///
    /// Clients are ordered by their number of running jobs, and then by the start of their wait since their last turn.
    ///
    /// The wait starts with the client's first waiting job, and starts again whenever one of its jobs starts or ends. A
    /// client with many jobs therefore gets one turn, and then every other client gets a turn.
    package func turn(of client: Client?) -> Turn {
        let jobs = self[client]
        return Turn(running: jobs.running, since: jobs.since)
    }

    /// The client with the most waiting jobs, and the number of these jobs; nil if no job is waiting.
    package var maxWaiting: (client: Client?, count: Int)? {
        jobs.max { ($0.value.waiting, $0.value.since) < ($1.value.waiting, $1.value.since) }
            .flatMap { $0.value.waiting > 0 ? ($0.key, $0.value.waiting) : nil }
    }

    /// Adds a waiting job.
    package mutating func arrive(_ client: Client?) {
        now += 1
        if self[client].waiting == 0 { jobs[client, default: Jobs()].since = now }
        jobs[client, default: Jobs()].waiting += 1
    }

    /// Removes a waiting job that will not start.
    package mutating func leave(_ client: Client?) {
        jobs[client]?.waiting -= 1
        removeIfIdle(client)
    }

    /// Converts a waiting job to a running job.
    package mutating func start(_ client: Client?) {
        now += 1
        jobs[client]?.waiting -= 1
        jobs[client]?.running += 1
        jobs[client]?.since = now
    }

    /// Removes a running job.
    package mutating func end(_ client: Client?) {
        now += 1
        jobs[client]?.running -= 1
        jobs[client]?.since = now
        removeIfIdle(client)
    }

    private mutating func removeIfIdle(_ client: Client?) {
        if let left = jobs[client], left.running <= 0, left.waiting <= 0 { jobs[client] = nil }
    }
}
