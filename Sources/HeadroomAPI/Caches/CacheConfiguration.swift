import Glibc
package import SharedCache

/// What is kept, so that nothing is done twice.
package struct CacheConfiguration: Sendable {
    /// Bytes of fetched sources; 0 keeps none, and fetches a source for each request.
    package var sourceBytes: Int
    /// Bytes of what was found in pictures; 0 keeps nothing, and looks for faces in each request.
    package var detectionBytes: Int
    /// Bytes of finished pictures; 0 keeps none, and makes a picture for each request.
    package var resultBytes: Int
    /// Where processes share what they keep; nil for nowhere.
    package var redis: RedisAddress?
    /// What one lookup there may take, of three for a request at most.
    package var redisTimeout = RedisStore.lookupTimeout
    /// Seconds since 1970, for tests to set.
    package var now: @Sendable () -> Int = { time(nil) }

    /// Budgets in bytes.
    package init(
        sourceBytes: Int = 64 << 20,
        detectionBytes: Int = 8 << 20,
        resultBytes: Int = 64 << 20
    ) {
        self.sourceBytes = sourceBytes
        self.detectionBytes = detectionBytes
        self.resultBytes = resultBytes
    }

    /// What all caches may take together.
    package var bytes: Int { sourceBytes + detectionBytes + resultBytes }

    /// Nothing is kept, and no requests are joined.
    package static let none = CacheConfiguration(sourceBytes: 0, detectionBytes: 0, resultBytes: 0)
}
