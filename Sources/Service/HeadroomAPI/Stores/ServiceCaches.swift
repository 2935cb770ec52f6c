import Admission
package import Caching
package import Fetching
import Glibc
package import Logging
import Requests
package import Workers

/// The caches of a service, with their Redis server and their result store.
package final class ServiceCaches: Sendable {
    /// Counters of each cache since the process started, and its current content.
    package struct Statistics: Sendable {
        package var sources: CacheStatistics
        package var detections: CacheStatistics
        package var results: CacheStatistics
        /// The Redis server of all three caches; nil without Redis.
        package var redis: RedisStatistics?
        /// The result store; nil for none.
        package var resultStore: StoreStatistics?

        /// The enabled caches, by their names in metrics.
        var byName: [(name: String, figures: CacheStatistics)] {
            [("sources", sources), ("detections", detections), ("results", results)].filter { $0.1.budget > 0 }
        }
    }

    let sources: SourceCache
    let detections: DetectionCache
    let results: ResultCache
    let responses: ResponseIndex
    private let configuration: CacheConfiguration
    private let redis: RedisStore?
    private let resultStore: ResultStore?
    /// The state for purges, which all copies share.
    let purges: PurgeState
    /// Fetches sources that are not cached.
    let fetcher: ImageFetcher

    /// Creates empty caches; connects to Redis in the background.
    ///
    /// - Parameters:
    ///   - configuration: Budgets, the Redis and the result store.
    ///   - detections: Stores detection results instead of Redis; nil for none.
    ///   - service: Runs detection on a cache miss.
    ///   - fetcher: Fetches sources on a cache miss.
    ///   - logger: Receives one line when Redis or the result store becomes unavailable, and one line when it recovers.
    package init(
        _ configuration: CacheConfiguration,
        detections: (any SharedStore)? = nil,
        service: WorkerService,
        fetcher: ImageFetcher,
        logger: Logger
    ) {
        self.configuration = configuration
        self.fetcher = fetcher
        // Other builds may encode records differently or compute different results.
        let prefix = "headroom:\(HeadroomVersion.current):\(BuildIdentifier.current):"
        redis = configuration.redis.map { address in
            RedisStore(address, timeout: configuration.redisTimeout, prefix: prefix, logger: logger)
        }
        resultStore = configuration.resultStore.flatMap { store in
            store.backend(fetcher.configuration, now: configuration.now).map { backend in
                ResultStore(backend, prefix: prefix, timeout: store.timeout, logger: logger)
            }
        }
        let purges = PurgeState()
        self.purges = purges
        sources = SourceCache(configuration, store: redis, fetcher: fetcher, purges: purges)
        self.detections = DetectionCache(configuration, store: detections ?? redis, service: service)
        results = ResultCache(configuration, store: redis, results: resultStore, purges: purges)
        responses = ResponseIndex(configuration, results: results)
    }

    /// Creates the caches of a program that processes many images once each; they do not log.
    ///
    /// They contain detection results, for images with equal bytes, and fetched sources, for backdrops.
    ///
    /// - Parameters:
    ///   - detections: Stores detection results permanently; nil for none.
    ///   - service: Runs detection on a cache miss.
    ///   - fetcher: Fetches sources on a cache miss.
    package convenience init(detections: (any SharedStore)?, service: WorkerService, fetcher: ImageFetcher) {
        self.init(
            CacheConfiguration(detectionBytes: 64 << 20, resultBytes: 0),
            detections: detections,
            service: service,
            fetcher: fetcher,
            logger: Logger(label: "headroom") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    private init(_ other: ServiceCaches, fetcher: ImageFetcher?) {
        configuration = other.configuration
        redis = other.redis
        resultStore = other.resultStore
        purges = other.purges
        detections = other.detections
        results = other.results
        self.fetcher = fetcher ?? other.fetcher
        sources =
            fetcher.map {
                SourceCache(other.configuration, store: other.redis, fetcher: $0, purges: other.purges)
            } ?? other.sources
        responses = ResponseIndex(configuration, results: results)
    }

    /// Returns a copy of the caches with new fetch rules.
    ///
    /// The response index starts empty, because URLs may have a different meaning now. The source cache also starts
    /// empty unless the rules are equal, because it may contain sources of origins that are no longer allowed.
    func adopting(_ rules: FetchRules) -> ServiceCaches {
        ServiceCaches(self, fetcher: fetcher.adopting(rules))
    }

    /// Purges in Redis; nil without Redis.
    var sharedPurges: SharedPurges? { redis.map(SharedPurges.init) }

    /// The current purge state, for a request that is about to read images.
    var start: ResultCache.Start { ResultCache.Start(purged: purges.count, time: configuration.now()) }

    /// Removes a source, its crops and its detection results from memory, from Redis and from the result store.
    ///
    /// - Parameters:
    ///   - tag: The tag of the source.
    ///   - url: The URL of the source, used to find its content in Redis; nil if unknown.
    /// - Returns: The number of entries in memory; the number of keys in Redis, nil without Redis and if it is
    ///   unavailable; and false if the result store is unavailable.
    func purge(_ tag: SourceTag, url: SourceURL? = nil) async -> (memory: Int, redis: Int?, isStorePurged: Bool) {
        purges.add()
        if let url { await sources.rememberShared(url) }
        let digests = purges.digests(at: tag)
        let isStorePurged = await resultStore?.purge([tag.description] + digests) ?? true
        // Counted again, because a request that began in the meantime may have read a value from the result store.
        purges.add()
        let source = sources.purge(tag)
        responses.purge()
        let memory = source + results.purge(digests) + detections.purge(digests)
        guard let sharedPurges else { return (memory, nil, isStorePurged) }
        var keys = await sharedPurges.deleteKeys(containing: tag.description)
        for digest in digests {
            let others = await sharedPurges.deleteKeys(containing: digest)
            keys = keys.flatMap { count in others.map { count + $0 } }
        }
        return (memory, keys, isStorePurged)
    }

    /// The token buckets in Redis; nil without Redis.
    package var sharedBuckets: SharedBuckets? { redis.map { SharedBuckets($0, capacity: TokenBucket.capacity) } }

    package var statistics: Statistics {
        Statistics(
            sources: sources.statistics,
            detections: detections.statistics,
            results: results.statistics,
            redis: redis?.statistics,
            resultStore: resultStore?.statistics
        )
    }
}
