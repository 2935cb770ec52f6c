/// How many fetches there are of each host and for each client.
struct FetchTally {
    /// What a fetch counts for, the client first.
    typealias Shares = (client: Int, host: Int)

    private var hosts: [String: Int] = [:]
    /// Those for whom no client is known have one count.
    private var clients: [UInt64?: Int] = [:]

    /// How many there are of a job's client and of its host.
    subscript(job: FetchJob) -> Shares { (clients[job.client] ?? 0, hosts[job.host] ?? 0) }

    mutating func add(_ job: FetchJob) {
        hosts[job.host, default: 0] += 1
        clients[job.client, default: 0] += 1
    }

    mutating func remove(_ job: FetchJob) {
        Self.decrement(&hosts, job.host)
        Self.decrement(&clients, job.client)
    }

    private static func decrement<Key>(_ counts: inout [Key: Int], _ key: Key) {
        guard let count = counts[key] else { return }
        counts[key] = count > 1 ? count - 1 : nil
    }
}
