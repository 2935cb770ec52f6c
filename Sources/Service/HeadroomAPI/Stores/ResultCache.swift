import Admission
import Caching
import Pipeline
import Requests
import UntrustedText

/// Caches encoded images, and shares one job among equal requests.
///
/// The key is the digest of all inputs. Plans are not cached, because they contain timings and are cheap to compute if
/// the faces are cached. Concurrent requests with the same key, including requests for plans, share one job (single
/// flight).
final class ResultCache: Sendable {
    /// The reason why a result is degraded and therefore not cached, as the value of the field `Headroom-Degraded`.
    enum Degradation: String, Sendable {
        case damagedSource = "damaged-source"
        /// The source is missing, and the result shows a fallback image.
        case missingSource = "missing-source"
        case noDetection = "no-detection"
    }

    /// A result that was computed for this request, or for an equal request in progress.
    struct Computed: Sendable {
        let result: FrameResult
        /// The reason why the result is degraded; nil if it is not degraded.
        let degradation: Degradation?
        /// The cause of the failed detection, for the log.
        let failure: String?
    }

    struct Failure: Error {
        let problem: Problem
        /// The internal cause, for the log.
        let failure: String?

        /// Whether the job failed because it did not get a worker or memory.
        ///
        /// A job of another client may succeed.
        fileprivate var isOverload: Bool { problem.kind == .overloaded || problem.kind == .fetchOverloaded }
    }

    /// A cached result with its level, or a computed result.
    enum Found: Sendable {
        case cached(CachedImage, CacheLevel)
        case computed(Computed, isJoined: Bool)
    }

    /// The time before the images of a request were read.
    ///
    /// It detects purges in the meantime.
    struct Start: Sendable {
        /// ``PurgeState/count`` at this time.
        let purged: Int
        /// Seconds since 1970.
        let time: Int
    }

    /// The lifetime of an image in Redis: a day, like the `max-age` of responses.
    private static let lifetime = Duration.seconds(86_400)

    private let cache: TieredCache<CachedImage>
    private let flights = SingleFlight<String, Result<Found, Failure>>()
    private let purges: PurgeState

    init(
        _ configuration: CacheConfiguration,
        store: (any SharedStore)?,
        results: ResultStore? = nil,
        purges: PurgeState
    ) {
        self.purges = purges
        cache = TieredCache(
            name: "result",
            budget: configuration.resultBytes - configuration.resultBytes / ResponseIndex.budgetDivisor,
            store: store,
            results: results,
            coding: .init(lifetime: Self.lifetime, encode: \.record) { CachedImage($0).map { ($0, $0.cost) } }
        )
    }

    /// Whether the cache has a budget.
    var isEnabled: Bool { cache.isEnabled }

    var statistics: CacheStatistics { cache.statistics(joined: flights.joined) }

    /// Removes the results of sources from memory.
    ///
    /// - Parameter digests: The digests of the sources' bytes.
    /// - Returns: The number of removed entries.
    func purge(_ digests: [String]) -> Int {
        cache.forgetAll { key in digests.contains { key.bytes.contains($0) } }.count
    }

    /// Returns the image in memory; nil if it is not cached.
    func image(for key: String) -> CachedImage? { cache.value(for: key) }

    /// Returns the result for a key, which may be cached, joined or computed.
    ///
    /// Its `image` is nil if the response is not an image.
    ///
    /// Equal requests share one job, but not across tenants, because the job waits in the queue of the first request's
    /// tenant. If a joined job did not get a worker, the request is tried a second time.
    ///
    /// - Parameters:
    ///   - key: The digest of all inputs.
    ///   - labels: The labels whose purge hides the result in the result store.
    ///   - image: Returns the image of a result; nil if the response is not an image.
    ///   - start: The time before the images of the request were read.
    ///   - client: The client, whose tenant does not share jobs with other tenants.
    ///   - compute: Runs the job.
    /// - Returns: The result, and whether it was cached.
    /// - Throws: ``Failure`` of `compute`, or when the client has disconnected.
    func result(
        for key: String,
        labels: [String] = [],
        image: (@Sendable (FrameResult) -> CachedImage?)?,
        from start: Start,
        of client: Client? = nil,
        compute: @escaping @Sendable () async -> Result<Computed, Failure>
    ) async throws(Failure) -> Found {
        guard isEnabled else { return .computed(try await compute().get(), isJoined: false) }
        if image != nil, let cached = cache.value(for: key) { return .cached(cached, .memory) }
        let flight = "\(client?.tenant ?? "") \(key)"
        let work: @Sendable () async -> Result<Found, Failure> = { [self] in
            let isCurrent = { start.purged == self.purges.count }
            if image != nil,
                let (cached, level) = await cache.missedValue(for: key, labels: labels, isCurrent: isCurrent)
            {
                return .success(.cached(cached, level))
            }
            let outcome = await compute()
            // A result is not stored if a purge happened during its computation.
            if case .success(let computed) = outcome, computed.degradation == nil, isCurrent(),
                let cached = image?(computed.result)
            {
                cache.keep(cached, for: key, bytes: cached.cost, labels: labels, began: start.time)
            }
            return outcome.map { .computed($0, isJoined: false) }
        }
        var arrival = await flights.join(flight, work)
        if let first = arrival, first.isJoined, case .failure(let failure) = first.value, failure.isOverload {
            arrival = await flights.join(flight, work)
        }
        guard let arrival else {
            throw Failure(problem: Problem(PipelineError.cancelled), failure: "the client disconnected")
        }
        let found = try arrival.value.get()
        guard case .computed(let computed, _) = found else { return found }
        return .computed(computed, isJoined: arrival.isJoined)
    }
}
