package import FramePipeline
package import ImageSource
package import SharedCache

/// The three caches of a service.
package final class ServiceCaches: Sendable {
    /// What each of them has done, and holds.
    package struct Statistics: Sendable {
        /// Fetched sources.
        package var sources: CacheStatistics
        /// What was found in pictures.
        package var detections: CacheStatistics
        /// Finished pictures.
        package var results: CacheStatistics
    }

    let sources: SourceCache
    let detections: DetectionCache
    let results: ResultCache

    /// Caches that are empty.
    package init(_ configuration: CacheConfiguration, service: FrameService, fetcher: ImageFetcher) {
        sources = SourceCache(configuration, fetcher: fetcher)
        detections = DetectionCache(configuration, service: service)
        results = ResultCache(configuration)
    }

    /// What each of them has done, and holds.
    package var statistics: Statistics {
        Statistics(sources: sources.statistics, detections: detections.statistics, results: results.statistics)
    }
}
