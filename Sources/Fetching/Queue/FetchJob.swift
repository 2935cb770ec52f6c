import Synchronization

/// One call of `fetch` on its way through the queue and a slot.
final class FetchJob: Sendable {
    typealias Outcome = Result<FetchedImage, FetchError>

    let url: SourceURL
    let conditions: FetchConditions?
    let traceParent: String?
    /// Who asks; nil when that is not known.
    let client: UInt64?
    /// The host and port of the first request, of which jobs share slots: redirects may lead to others.
    let host: String
    let deadline: ContinuousClock.Instant
    /// Why a URL on the way must not be fetched; nil when it may be.
    let refusal: @Sendable (SourceURL) -> String?
    private let state = Mutex(State())

    private struct State {
        var isCancelled = false
        var interrupt: (@Sendable () -> Void)?
    }

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

    var isCancelled: Bool {
        state.withLock { $0.isCancelled }
    }

    /// Time left until the deadline; never negative.
    var remaining: Duration {
        max(.zero, ContinuousClock.now.duration(to: deadline))
    }

    /// Marks the job as unwanted and interrupts the slot that works on it, if any.
    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            state.interrupt?()
        }
    }

    /// Runs the work while `cancel()` calls `interrupt`, which is never called after this returns.
    func interruptible<T>(by interrupt: @escaping @Sendable () -> Void, _ work: () -> T) -> T {
        state.withLock { $0.interrupt = interrupt }
        defer { state.withLock { $0.interrupt = nil } }
        return work()
    }
}
