import HeadroomAPI
import SharedCache

/// Settings of what is kept from one request to the next.
extension Settings {
    private static let caches = CacheConfiguration()

    static let cacheSources = budget(
        "cache-sources",
        "MiB of fetched pictures that are kept; 0 fetches for each request.",
        bytes: caches.sourceBytes
    )
    static let cacheDetections = budget(
        "cache-detections",
        "MiB of found faces that are kept; 0 looks for faces in each request.",
        bytes: caches.detectionBytes
    )
    static let cacheResults = budget(
        "cache-results",
        "MiB of finished pictures that are kept; 0 makes one for each request.",
        bytes: caches.resultBytes
    )
    static let redis = Setting<RedisAddress?>.optional(
        "redis",
        """
        A Redis through which several services share what they keep: redis://[user:password@]host[:port][/database] or \
        unix:/path. An address with a password belongs into HEADROOM_REDIS.
        """,
        default: "none",
        expected: RedisAddress.expected,
        valueName: "address",
        text: { $0?.description },
        parse: { RedisAddress($0) }
    ).secret

    private static func budget(_ name: String, _ help: String, bytes: Int) -> Setting<Int> {
        .integer(name, help, in: 0...1_048_576, default: bytes >> 20, valueName: "MiB")
    }
}
