import Caching

extension TieredCache {
    /// Returns the statistics with the number of requests that joined a job in progress.
    func statistics(joined: Int) -> CacheStatistics {
        var statistics = statistics
        statistics.joined = joined
        return statistics
    }
}
