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
    private let redis: RedisStore?

    /// Caches that are empty.
    package init(
        _ configuration: CacheConfiguration,
        service: FrameService,
        fetcher: ImageFetcher,
        logger: Logger
    ) {
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
