import Telemetry

extension HeadroomMetrics {
    /// Metrics of each cache.
    static let caches = [
        cacheHits, cacheMisses, cacheSharedHits, cacheJoins, cacheStores, cacheEvictions, cacheBytes, cacheLimit,
    ]

    /// Metrics of the shared store.
    static let redis = [redisConnected, redisLookups, redisWrites, redisFailures]

    // Caches.

    static let cacheHits = MetricDescription(
        "headroom_cache_hits_total",
        .counter,
        labels: ["cache"],
        help: "Cache hits."
    )
    static let cacheMisses = MetricDescription(
        "headroom_cache_misses_total",
        .counter,
        labels: ["cache"],
        help: "Cache misses."
    )
    static let cacheSharedHits = MetricDescription(
        "headroom_cache_shared_hits_total",
        .counter,
        labels: ["cache"],
        help: "Misses that Redis served."
    )
    static let cacheJoins = MetricDescription(
        "headroom_cache_joins_total",
        .counter,
        labels: ["cache"],
        help: "Requests that joined work in progress (single flight)."
    )
    static let cacheStores = MetricDescription(
        "headroom_cache_stores_total",
        .counter,
        labels: ["cache"],
        help: "Entries stored."
    )
    static let cacheEvictions = MetricDescription(
        "headroom_cache_evictions_total",
        .counter,
        labels: ["cache"],
        help: "Entries evicted to make room."
    )
    static let cacheBytes = MetricDescription(
        "headroom_cache_bytes",
        .gauge,
        labels: ["cache"],
        help: "Memory of the entries, in bytes."
    )
    static let cacheLimit = MetricDescription(
        "headroom_cache_limit_bytes",
        .gauge,
        labels: ["cache"],
        help: "Maximum memory of the entries, in bytes."
    )

    // Redis.

    static let redisConnected = MetricDescription(
        "headroom_redis_connected",
        .gauge,
        help: "1 while Redis is in use, else 0."
    )
    static let redisLookups = MetricDescription(
        "headroom_redis_lookups_total",
        .counter,
        labels: ["result"],
        help: "Redis lookups, by result."
    )
    static let redisWrites = MetricDescription(
        "headroom_redis_writes_total",
        .counter,
        labels: ["result"],
        help: "Redis writes, by result."
    )
    static let redisFailures = MetricDescription(
        "headroom_redis_failures_total",
        .counter,
        help: "Failures that took Redis out of use."
    )
}
