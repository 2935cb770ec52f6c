/// The number of fetches of each host and for each client.
struct FetchTally {
    /// The numbers of a fetch's client and host.
    typealias Shares = (client: Int, host: Int)

    private var hosts: [String: Int] = [:]
    /// Fetches of unknown clients have one count.
    private var clients: [UInt64?: Int] = [:]

    init(_ jobs: [FetchJob]) {
        for job in jobs {
            hosts[job.host, default: 0] += 1
            clients[job.client, default: 0] += 1
        }
    }

    /// How many there are of a job's client and of its host.
    subscript(job: FetchJob) -> Shares { (clients[job.client] ?? 0, hosts[job.host] ?? 0) }
}
