package import Caching
import Glibc

/// Budgets of the caches, and the store that processes share.
package struct CacheConfiguration: Sendable {
    /// Budget of fetched sources in bytes; 0 disables the cache.
    package var sourceBytes: Int
    /// Budget of detection results in bytes; 0 disables the cache.
    package var detectionBytes: Int
    /// Budget of encoded images in bytes; 0 disables the cache.
    package var resultBytes: Int
    /// The Redis server that processes share; nil for none.
    package var redis: RedisAddress?
    /// The timeout of one Redis lookup.
    ///
    /// A request makes at most three lookups.
    package var redisTimeout = RedisStore.lookupTimeout
    /// The store that preserves results across restarts; nil for none.
    package var resultStore: ResultStoreConfiguration?
    /// The clock, in seconds since 1970; tests replace it.
    package var now: @Sendable () -> Int = { time(nil) }

    /// Creates a configuration with budgets in bytes and without Redis; 0 disables a cache.
    ///
    /// - Parameters:
    ///   - sourceBytes: Fetched sources.
    ///   - detectionBytes: Results of detection.
    ///   - resultBytes: Encoded images.
    package init(sourceBytes: Int = 64 << 20, detectionBytes: Int = 8 << 20, resultBytes: Int = 64 << 20) {
        self.sourceBytes = sourceBytes
        self.detectionBytes = detectionBytes
        self.resultBytes = resultBytes
    }

    /// The total budget in bytes.
    package var bytes: Int { sourceBytes + detectionBytes + resultBytes }

    /// No caches and no single flight.
    package static let none = CacheConfiguration(sourceBytes: 0, detectionBytes: 0, resultBytes: 0)
}
