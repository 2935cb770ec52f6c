import Admission

/// Distributes slots fairly among clients and hosts.
///
/// The next job belongs to the client with the fewest running fetches. Ties are broken by the fewest running fetches of
/// the host, then by the order of arrival. Jobs of a client or host at its limit are skipped, so that a slow host or
/// client cannot take all slots.
struct FairOrder: TurnOrder {
    /// Maximum number of slots of one host; 0 for no limit.
    var slotsPerHost: Int
    /// Maximum number of slots of one client; 0 for no limit.
    var slotsPerClient: Int

    func client(of job: FetchJob) -> Client? { job.client }

    func next(in line: WaitingLine<FetchJob>) -> Int? {
        let running = FetchTally(line.running)
        return line.waiting.indices.filter { isBelowLimits(line.waiting[$0], running) }
            .min { (running[line.waiting[$0]], $0) < (running[line.waiting[$1]], $1) }
    }

    /// Returns the waiting job that is dropped to admit a new job to a full queue.
    ///
    /// It is the last waiting job of the client with the most waiting jobs, for the host with the most waiting jobs.
    ///
    /// Returns nil, so that the new job is rejected, unless this client or host has more jobs than the new job's client
    /// or host would have.
    func displaced(by job: FetchJob, in line: WaitingLine<FetchJob>) -> Int? {
        let waiting = FetchTally(line.waiting)
        let last = line.waiting.indices.max { (waiting[line.waiting[$0]], $0) < (waiting[line.waiting[$1]], $1) }
        guard let last else { return nil }
        // bounded: one of the indices of the line
        let (maximum, own) = (waiting[line.waiting[last]], waiting[job])
        let hasMore = maximum.client > own.client + 1 || (maximum.client >= own.client && maximum.host > own.host + 1)
        return hasMore ? last : nil
    }

    func wait(of job: FetchJob, in line: WaitingLine<FetchJob>) -> Duration {
        let running = FetchTally(line.running)
        let (own, queued) = (running[job], FetchTally(line.waiting)[job])
        var wait = Duration.zero
        if line.running.count >= line.places {
            let ahead = line.waiting.count { isBelowLimits($0, running) && running[$0] <= own }
            wait = line.estimate.wait(behind: ahead, places: line.places)
        }
        if isFull(own.host, slotsPerHost) {
            wait = max(wait, line.estimate.wait(behind: queued.host, places: slotsPerHost))
        }
        if job.client != nil, isFull(own.client, slotsPerClient) {
            wait = max(wait, line.estimate.wait(behind: queued.client, places: slotsPerClient))
        }
        return wait
    }

    private func isBelowLimits(_ job: FetchJob, _ running: FetchTally) -> Bool {
        let (client, host) = running[job]
        return !isFull(host, slotsPerHost) && (job.client == nil || !isFull(client, slotsPerClient))
    }

    private func isFull(_ count: Int, _ limit: Int) -> Bool { limit > 0 && count >= limit }
}

private func < (left: (FetchTally.Shares, Int), right: (FetchTally.Shares, Int)) -> Bool {
    (left.0.client, left.0.host, left.1) < (right.0.client, right.0.host, right.1)
}

/// The data of one call to `fetch`.
struct FetchJob: Sendable {
    typealias Outcome = Result<FetchedImage, FetchError>

    let url: SourceURL
    var conditions: FetchConditions?
    let traceParent: String?
    /// The client that is charged for the fetch; nil if the client is unknown.
    var client: Client?
    /// The key for limits per host; see ``host(of:)``.
    let host: String
    /// The rules of fetches, including the object services.
    var rules = FetchRules()
    /// The requested bytes of an object; nil for the whole object.
    var part: Range<Int>?
    var outlet = FetchOutlet()
    var hostFields = HostFields()
    let deadline: ContinuousClock.Instant
    /// The maximum size of a body, in bytes; nil for the fetcher's limit.
    var maxBytes: Int?
    /// Returns the reason why the first URL or the URL of a redirect must not be fetched; nil if it may be fetched.
    let refusal: @Sendable (SourceURL) -> FetchRefusal?
    /// Receives the body while it arrives; nil to collect the body in memory.
    var sink: BodySink?
    let cancellation = Cancellation()

    /// Returns the host and port of the first request, or the scheme for other kinds of URLs.
    static func host(of url: SourceURL) -> String {
        if case .web(let url) = url { "\(HostPattern.normalised(url.host)):\(url.port)" } else { url.scheme }
    }
}

/// The number of running fetches for each host and each client.
struct FetchTally {
    typealias Shares = (client: Int, host: Int)

    private var hosts: [String: Int] = [:]
    /// Fetches of unknown clients are counted together.
    private var clients: [Client?: Int] = [:]

    init(_ jobs: [FetchJob]) {
        for job in jobs {
            hosts[job.host, default: 0] += 1
            clients[job.client, default: 0] += 1
        }
    }

    /// The numbers of running fetches of a job's client and of its host.
    subscript(job: FetchJob) -> Shares { (clients[job.client] ?? 0, hosts[job.host] ?? 0) }
}
