import Admission

/// One call of `fetch`.
struct FetchJob: Sendable {
    typealias Outcome = Result<FetchedImage, FetchError>

    let url: SourceURL
    let conditions: FetchConditions?
    let traceParent: String?
    /// A number that identifies the client; nil if it is unknown.
    let client: UInt64?
    /// The host and port of the first request, which share slots; redirects may lead to others.
    let host: String
    let deadline: ContinuousClock.Instant
    /// Why the first URL or that of a redirect must not be fetched; nil if it may be.
    let refusal: @Sendable (SourceURL) -> String?
    let cancellation = Cancellation()

    init(
        url: SourceURL,
        conditions: FetchConditions?,
        traceParent: String?,
        client: UInt64? = nil,
        deadline: ContinuousClock.Instant,
        refusal: @escaping @Sendable (SourceURL) -> String?
    ) {
        self.url = url
        self.conditions = conditions
        self.traceParent = traceParent
        self.client = client
        host = "\(HostPattern.normalised(url.host)):\(url.port)"
        self.deadline = deadline
        self.refusal = refusal
    }
}
