import ImageSource
import SharedCache

/// Fetches sources, and no source twice while it is fresh.
///
/// Requests for the same source at the same time share one fetch. A source that is no longer fresh is asked for with the
/// validators that its origin gave, and one whose origin fails is used a while longer.
final class SourceCache: Sendable {
    /// Where a source came from.
    enum Use: String, Sendable {
        /// Memory, or what processes share; the origin was not asked.
        case kept
        /// The origin says that it has not changed.
        case renewed
        /// The origin sent it.
        case fetched
        /// The origin failed, and an older one has to do.
        case stale
    }

    private enum Entry: Sendable {
        case source(KeptSource)
        case absent(status: Int, until: Int)
    }

    private typealias Outcome = Result<(source: KeptSource, use: Use), FetchError>

    /// How long a source that is not there (404, 410) is not asked for again, in seconds.
    static let absence = 10

    /// How long an origin that failed is not asked again while an older source does, in seconds.
    static let recovery = 10

    /// How long ago a source must have been confirmed at most to be used although its origin fails: a day, as caches are
    /// told by `stale-if-error`.
    static let longestStaleness = 86_400

    private let fetcher: ImageFetcher
    private let now: @Sendable () -> Int
    private let cache: TieredCache<Entry>
    private let flights = Flights<String, Outcome>()

    init(_ configuration: CacheConfiguration, store: (any SharedStore)?, fetcher: ImageFetcher) {
        self.fetcher = fetcher
        let now = configuration.now
        self.now = now
        // What was fetched where more is allowed is nothing for those that may not.
        let reach = fetcher.allowsPrivateSources ? "private" : "public"
        cache = TieredCache(
            name: "source:\(reach)",
            budget: configuration.sourceBytes,
            store: store,
            coding: .init(lifetime: .seconds(Self.longestStaleness)) { entry in
                if case .source(let source) = entry { source.record } else { nil }
            } decode: { record in
                KeptSource(record, fetcher: fetcher, now: now()).map { (.source($0), $0.cost) }
            }
        )
    }

    /// What it has done, and holds.
    var statistics: CacheStatistics {
        var statistics = cache.statistics
        statistics.joined = flights.joined
        return statistics
    }

    /// The source behind a URL.
    ///
    /// - Parameters:
    ///   - url: Of the source.
    ///   - deadline: When a fetch must be over; one that is joined keeps to that of the first.
    ///   - traceParent: The trace that a fetch belongs to; one that is joined belongs to that of the first.
    /// - Returns: The source, and where it came from.
    /// - Throws: What ``ImageFetcher/fetch(_:unless:traceParent:by:)`` throws.
    func source(
        _ url: SourceURL,
        by deadline: ContinuousClock.Instant? = nil,
        traceParent: String? = nil
    ) async throws(FetchError) -> (source: KeptSource, use: Use) {
        let key = url.string
        guard cache.isEnabled else { return try await fetched(url, instead: nil, by: deadline, traceParent).get() }
        if let outcome = fresh(cache.value(for: key)) { return try outcome.get() }
        let arrival = await flights.join(key) { [self] in
            let entry = fetcher.refusal(of: url) == nil ? await cache.missedValue(for: key)?.value : nil
            if let outcome = fresh(entry) { return outcome }
            var stale: KeptSource?
            if case .source(let source) = entry { stale = source }
            return await fetched(url, instead: stale, by: deadline, traceParent)
        }
        guard let arrival else { throw .cancelled }
        return try arrival.value.get()
    }

    /// Whether memory has what can be told of a source without asking its origin.
    func knows(_ url: SourceURL) -> Bool { fresh(cache.peek(url.string)) != nil }

    /// What can be told without asking the origin.
    private func fresh(_ entry: Entry?) -> Outcome? {
        switch entry {
        case .source(let source) where source.origin.freshUntil > now(): .success((source, .kept))
        case .absent(let status, let until) where until > now(): .failure(.notFound(status: status))
        default: nil
        }
    }

    private func fetched(
        _ url: SourceURL,
        instead stale: KeptSource?,
        by deadline: ContinuousClock.Instant?,
        _ traceParent: String?
    ) async -> Outcome {
        do {
            let image = try await fetcher.fetch(
                url,
                unless: stale?.conditions,
                traceParent: traceParent,
                by: deadline
            )
            let now = now()
            let freshness = OriginFreshness(of: image, now: now)
            let isRenewed = image.isUnchanged
            let source =
                if isRenewed, let stale {
                    stale.renewed(by: image, freshness, now: now)
                } else {
                    KeptSource(image, freshness, now: now)
                }
            if freshness.seconds != nil {
                cache.keep(.source(source), for: url.string, bytes: source.cost)
            } else {
                cache.forget(url.string)
            }
            return .success((source, isRenewed ? .renewed : .fetched))
        } catch {
            return failed(error, url, stale)
        }
    }

    private func failed(_ error: FetchError, _ url: SourceURL, _ stale: KeptSource?) -> Outcome {
        let now = now()
        switch error {
        case .notFound(let status):
            cache.keep(.absent(status: status, until: now + Self.absence), for: url.string, bytes: 0, isShared: false)
        case .originError, .invalidResponse, .timeout, .unresolved, .unreachable, .incomplete, .busy:
            guard var source = stale, source.origin.allowsStale, now - source.origin.confirmedAt < Self.longestStaleness
            else { break }
            source.origin.freshUntil = now + Self.recovery
            cache.keep(.source(source), for: url.string, bytes: source.cost, isShared: false)
            return .success((source, .stale))
        case .invalidURL, .blocked, .refused, .tooLarge, .tooManyRedirects, .cancelled: break
        }
        return .failure(error)
    }
}
