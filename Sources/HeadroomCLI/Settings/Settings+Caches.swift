import Caching
import HeadroomAPI

/// Settings of the caches.
extension Settings {
    private static let caches = CacheConfiguration()

    static let cacheSources = budget(
        "cache-sources",
        "Size in MiB of the cache of fetched pictures; 0 disables it.",
        bytes: caches.sourceBytes
    )
    static let cacheDetections = budget(
        "cache-detections",
        "Size in MiB of the cache of detected faces; 0 disables it.",
        bytes: caches.detectionBytes
    )
    static let cacheResults = budget(
        "cache-results",
        "Size in MiB of the cache of finished pictures; 0 disables it.",
        bytes: caches.resultBytes
    )
    static let redis = Setting<RedisAddress?>.optional(
        "redis",
        """
        Redis server that shares the caches of several services: redis://[user:password@]host[:port][/database] or \
        unix:/path. Put an address with a password into HEADROOM_REDIS.
        """,
        default: "none",
        expected: RedisAddress.expected,
        valueName: "address",
        text: { $0?.description },
        parse: { RedisAddress($0) }
    ).secret
    static let redisPasswordFile = Setting<String?>.optional(
        "redis-password-file",
        "File with the password of Redis, in place of one in the address.",
        expected: "a file that can be read",
        valueName: "path",
        parse: { $0 }
    )
    static let redisTimeout = Setting.seconds(
        "redis-timeout",
        "Seconds until a lookup in Redis is given up; a request makes at most three.",
        from: 0.001,
        to: 1,
        default: caches.redisTimeout
    )

    private static func budget(_ name: String, _ help: String, bytes: Int) -> Setting<Int> {
        .integer(name, help, in: 0...1_048_576, default: bytes >> 20, valueName: "MiB")
    }
}
