import Admission

/// One call of `fetch`.
struct FetchJob: Sendable {
    typealias Outcome = Result<FetchedImage, FetchError>

    let url: SourceURL
    let conditions: FetchConditions?
    let traceParent: String?
    /// A number that identifies the client; nil if it is unknown.
    let client: UInt64?
    /// What shares slots: the host and port of the first request, the service of buckets, or the folder of files.
    let host: String
    /// The service of `s3:` URLs.
    let s3: S3Configuration?
    /// The part of an object that is wanted; nil for the whole of it.
    let part: Range<Int>?
    let deadline: ContinuousClock.Instant
    /// The largest body in bytes; nil for that of the fetcher.
    let maxBytes: Int?
    /// Why the first URL or that of a redirect must not be fetched; nil if it may be.
    let refusal: @Sendable (SourceURL) -> String?
    /// Receives the body while it arrives; nil to keep it.
    let sink: BodySink?
    let cancellation = Cancellation()

    init(
        url: SourceURL,
        conditions: FetchConditions?,
        traceParent: String?,
        client: UInt64? = nil,
        s3: S3Configuration? = nil,
        part: Range<Int>? = nil,
        deadline: ContinuousClock.Instant,
        maxBytes: Int? = nil,
        refusal: @escaping @Sendable (SourceURL) -> String?,
        sink: BodySink? = nil
    ) {
        self.url = url
        self.conditions = conditions
        self.traceParent = traceParent
        self.client = client
        self.s3 = s3
        self.part = part
        host =
            switch url {
            case .web(let url): "\(HostPattern.normalised(url.host)):\(url.port)"
            case .object, .file: url.scheme
            }
        self.deadline = deadline
        self.maxBytes = maxBytes
        self.refusal = refusal
        self.sink = sink
    }
}

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
