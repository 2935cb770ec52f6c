package import FramePipeline
package import ImageSource
package import Logging
package import SharedCache

/// The three caches of a service, and what they share with others.
package final class ServiceCaches: Sendable {
    /// What each of them has done, and holds.
    package struct Statistics: Sendable {
        /// Fetched sources.
        package var sources: CacheStatistics
        /// What was found in pictures.
        package var detections: CacheStatistics
        /// Finished pictures.
        package var results: CacheStatistics
        /// The Redis behind all three; nil without one.
        package var redis: RedisStatistics?
    }

    let sources: SourceCache
    let detections: DetectionCache
    let results: ResultCache
    let ready: ReadyAnswers
    private let configuration: CacheConfiguration
    private let redis: RedisStore?
    private let fetcher: ImageFetcher

    /// Caches that are empty.
    package init(
        _ configuration: CacheConfiguration,
        service: FrameService,
        fetcher: ImageFetcher,
        logger: Logger
    ) {
        self.configuration = configuration
        self.fetcher = fetcher
        // Another version may tell the same things in another way.
        let prefix = "headroom:\(HeadroomVersion.current):"
        redis = configuration.redis.map { address in
            RedisStore(address, timeout: configuration.redisTimeout, prefix: prefix, logger: logger)
        }
        sources = SourceCache(configuration, store: redis, fetcher: fetcher)
        detections = DetectionCache(configuration, store: redis, service: service)
        results = ResultCache(configuration, store: redis)
        ready = ReadyAnswers(configuration, results: results)
    }

    private init(_ other: ServiceCaches, fetcher: ImageFetcher) {
        (configuration, redis, detections, results) = (other.configuration, other.redis, other.detections, other.results)
        self.fetcher = fetcher
        sources = SourceCache(configuration, store: redis, fetcher: fetcher)
        ready = ReadyAnswers(configuration, results: results)
    }

    /// The same caches where other hosts may be asked: what was fetched by the rules before, and answers that are found
    /// without a look at their source, are not in them. These are the caches themselves when the hosts are the same.
    func allowing(_ hosts: [HostPattern]?) -> ServiceCaches {
        fetcher.allowedHosts == hosts ? self : ServiceCaches(self, fetcher: fetcher.allowing(hosts))
    }

    /// What each of them has done, and holds.
    package var statistics: Statistics {
        Statistics(
            sources: sources.statistics,
            detections: detections.statistics,
            results: results.statistics,
            redis: redis?.statistics
        )
    }
}
