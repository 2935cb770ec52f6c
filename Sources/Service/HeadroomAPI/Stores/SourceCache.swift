import Admission
import Caching
import Fetching
import Requests

/// Fetches and caches sources.
///
/// Concurrent requests for the same URL share one fetch (single flight). A stale source is revalidated with a
/// conditional request; when its origin fails, the stale source is served for a limited time (stale-if-error).
final class SourceCache: Sendable {
    /// How a source was obtained; the raw values are log values.
    enum Use: String, Sendable {
        /// Cached, in memory or Redis, and fresh.
        case fresh
        /// Cached, and revalidated by the origin with a 304.
        case revalidated
        case fetched
        /// Cached and stale, but used because the origin failed.
        case stale
    }

    private enum Entry: Sendable {
        case source(CachedSource)
        case absent(status: Int, until: UnixTime)
    }

    private typealias Outcome = Result<(source: CachedSource, use: Use), FetchError>

    /// The cache lifetime of the information that a source is absent (404 or 410).
    static let absence = DeltaSeconds(clamping: 10)

    /// The maximum freshness of a damaged source, equal to the freshness of responses.
    static let damage = DeltaSeconds(clamping: 60)

    /// The time after a failed fetch when a stale source is served without another fetch.
    static let recovery = DeltaSeconds(clamping: 10)

    /// The maximum age of a stale source that is served while its origin fails: a day, like `stale-if-error` in
    /// responses.
    static let maxStaleness = DeltaSeconds(clamping: 86_400)

    private let fetcher: ImageFetcher
    private let now: @Sendable () -> UnixTime
    private let cache: TieredCache<Entry>
    /// The key of fetches in progress; fetches with equal keys are shared.
    ///
    /// Clients with different limits do not share fetches. Tenants do not share fetches either, because their queues
    /// differ.
    private struct Flight: Hashable {
        let key: String
        let limits: FetchLimits
        let tenant: String?
    }

    private let flights = SingleFlight<Flight, Outcome>()
    private let purges: PurgeState

    init(
        _ configuration: CacheConfiguration,
        store: (any SharedStore)?,
        fetcher: ImageFetcher,
        purges: PurgeState = PurgeState()
    ) {
        self.fetcher = fetcher
        self.purges = purges
        let now: @Sendable () -> UnixTime = { UnixTime(clamping: configuration.now()) }
        self.now = now
        // Services with access to private networks do not share sources with services without this access. Services
        // that use the same bucket names at different endpoints do not share sources either.
        cache = TieredCache(
            name: "source:\(fetcher.reach)",
            budget: configuration.sourceBytes,
            store: store,
            coding: .init(lifetime: .seconds(Self.maxStaleness.count)) { entry in
                if case .source(let source) = entry { source.record } else { nil }
            } decode: { record in
                CachedSource(record, fetcher: fetcher, now: now()).map { (.source($0), $0.cost) }
            }
        )
    }

    /// Returns the key of a URL.
    ///
    /// It contains the URL's tag, so that a purge finds it.
    private func key(_ url: SourceURL) -> String { "\(SourceTag(url)) \(url.string)" }

    /// Removes the sources with a tag from memory.
    ///
    /// - Returns: The number of removed entries.
    func purge(_ tag: SourceTag) -> Int { cache.forgetAll(where: tag.isPart).count }

    /// Reads a URL's entry from the shared store, and stores its content digest for a purge.
    ///
    /// Another process may have written the entry.
    func rememberShared(_ url: SourceURL) async {
        if case .source(let source) = await missed(url) { purges.remember(source.digest, at: url) }
    }

    /// Whether the source at a URL may be shared in Redis.
    ///
    /// False for a local file, because each service has its own files.
    private func isShared(_ url: SourceURL) -> Bool { if case .file = url { false } else { true } }

    var statistics: CacheStatistics { cache.statistics(joined: flights.joined) }

    /// Returns the source at a URL, and how it was obtained.
    ///
    /// - Parameters:
    ///   - url: The URL of the source.
    ///   - deadline: The deadline of a fetch; a joined fetch has the deadline of its first request.
    ///   - traceParent: The trace of a fetch; a joined fetch belongs to the trace of its first request.
    ///   - client: The client; a joined fetch counts for the client of its first request.
    ///   - limits: The fetch limits of the client; cached sources are also checked.
    /// - Returns: The source, and how it was obtained.
    /// - Throws: The errors of ``ImageFetcher/fetch(_:unless:traceParent:part:for:_:by:)``.
    func source(
        _ url: SourceURL,
        by deadline: ContinuousClock.Instant,
        traceParent: String?,
        for client: Client?,
        _ limits: FetchLimits
    ) async throws(FetchError) -> (source: CachedSource, use: Use) {
        if let reason = limits.refusal(of: url) { throw .blocked(reason) }
        let flight = Flight(key: url.string, limits: limits, tenant: client?.tenant)
        let found = try await found(url, flight) { [self] stale in
            let purged = purges.count
            do throws(FetchError) {
                let image = try await fetcher.fetch(
                    url,
                    unless: stale?.conditions,
                    traceParent: traceParent,
                    for: client,
                    limits,
                    by: deadline
                )
                return .success(keep(image, url, instead: stale, purged: purged))
            } catch {
                return failed(error, url, purged == purges.count ? stale : nil)
            }
        }.get()
        purges.remember(found.source.digest, at: url)
        try found.source.check(limits)
        return found
    }

    /// Returns the cached outcome for a URL, or the outcome of `fetch`.
    ///
    /// `fetch` may receive a stale source to revalidate.
    private func found(
        _ url: SourceURL,
        _ flight: Flight,
        _ fetch: @escaping @Sendable (CachedSource?) async -> Outcome
    ) async -> Outcome {
        guard cache.isEnabled else { return await fetch(nil) }
        if let outcome = fresh(cache.value(for: key(url))) { return outcome }
        let arrival = await flights.join(flight) { [self] in
            let entry = await missed(url)
            if let outcome = fresh(entry) { return outcome }
            if case .source(let stale) = entry { return await fetch(stale) }
            return await fetch(nil)
        }
        return arrival?.value ?? .failure(.cancelled)
    }

    /// Returns the budget share for a job that uses a source.
    ///
    /// The job retains the share until it finishes.
    ///
    /// - Throws: ``FetchError/overBudget(limit:)`` if the budget does not have enough memory left.
    func share(of source: CachedSource, for client: Client?) throws(FetchError) -> ByteShare {
        if let share = source.share ?? source.content.share(of: fetcher.budget, for: client) { return share }
        throw .overBudget(limit: fetcher.budget.limit)
    }

    /// Shortens the freshness of a damaged source and removes its validators, so that the next fetch is unconditional.
    ///
    /// A temporary failure of the origin or the network may have damaged the source.
    func distrust(_ source: CachedSource, at url: SourceURL) {
        // A source that is stale or must not be stored is not stored here either.
        guard cache.isEnabled, source.origin.freshUntil > now().seconds else { return cache.forget(key(url)) }
        var source = source.inCache
        source.origin.freshUntil = min(source.origin.freshUntil, (now() + Self.damage).seconds)
        source.origin.etag = nil
        source.origin.lastModified = nil
        source.origin.allowsStale = false
        cache.keep(.source(source), for: key(url), bytes: source.cost, isShared: isShared(url))
    }

    /// Whether the memory contains a fresh source or a fresh absence for a URL.
    func knows(_ url: SourceURL) -> Bool { fresh(cache.peek(key(url))) != nil }

    /// Returns the outcome of a fresh entry; nil if the origin must be contacted.
    private func fresh(_ entry: Entry?) -> Outcome? {
        switch entry {
        case .source(let source) where source.origin.freshUntil > now().seconds: .success((source, .fresh))
        case .absent(let status, let until) where until > now(): .failure(.notFound(status: status))
        default: nil
        }
    }

    /// Returns the entry for a URL after a miss in memory.
    ///
    /// Checks the memory again and, if the URL may be shared, the shared store.
    private func missed(_ url: SourceURL) async -> Entry? {
        guard fetcher.refusal(of: url) == nil else { return nil }
        return isShared(url) ? await cache.missedValue(for: key(url))?.value : cache.peek(key(url))
    }

    private func keep(
        _ image: FetchedImage,
        _ url: SourceURL,
        instead stale: CachedSource?,
        purged: Int
    ) -> (source: CachedSource, use: Use) {
        let now = now()
        let freshness = OriginFreshness(of: image, now: now)
        let isRenewed = image.isUnchanged
        let source =
            if isRenewed, let stale {
                stale.renewed(by: image, freshness, now: now)
            } else {
                CachedSource(image, freshness, now: now)
            }
        // A source is not stored if a purge happened during its fetch.
        if freshness.lifetime != nil, purged == purges.count {
            cache.keep(.source(source.inCache), for: key(url), bytes: source.cost, isShared: isShared(url))
        } else {
            cache.forget(key(url))
        }
        return (source, isRenewed ? .revalidated : .fetched)
    }

    private func failed(_ error: FetchError, _ url: SourceURL, _ stale: CachedSource?) -> Outcome {
        let now = now()
        switch error {
        case .notFound(let status):
            cache.keep(.absent(status: status, until: now + Self.absence), for: key(url), bytes: 0, isShared: false)
        case .originError, .retryLater, .invalidResponse, .undecodable, .timeout, .unresolved, .nameServerFailed,
            .unreachable, .exhausted, .incomplete, .busy, .overBudget:
            guard var source = stale, source.origin.allowsStale,
                now - UnixTime(clamping: source.origin.confirmedAt) < Self.maxStaleness
            else { break }
            source.origin.freshUntil = (now + Self.recovery).seconds
            cache.keep(.source(source.inCache), for: key(url), bytes: source.cost, isShared: false)
            return .success((source, .stale))
        case .invalidURL, .blocked, .refused, .storeRefused, .tooLarge, .tooManyRedirects, .cancelled: break
        }
        return .failure(error)
    }
}
