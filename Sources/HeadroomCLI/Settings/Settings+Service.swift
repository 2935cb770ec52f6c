import Caching
import HeadroomAPI

/// Settings of access control.
extension Settings {
    static let signingKeys = SecretSetting("signing-keys", "File with the keys for signed requests.")
    static let bearerSecrets = SecretSetting(
        "bearer-secrets",
        "File with bearer secrets; each one authorises every request."
    )
    static let tenantsFile = Setting.path(
        "tenants-file",
        "File of tenants: clients with keys, hosts and limits of their own."
    ).reloadable
    static let corsOrigins = Setting<CrossOriginPolicy?>.optional(
        "cors-origins",
        "Origins that may read responses from scripts (CORS): https://example.com, a comma-separated list, or *.",
        default: "none",
        expected: "* or comma-separated origins such as https://example.com",
        valueName: "list",
        parse: { CrossOriginPolicy($0) }
    ).reloadable
}

/// Settings of presets.
extension Settings {
    static let presets = Setting.path(
        "presets",
        "File of presets: names for parameters, as preset=avatar and /preset/avatar; read again on SIGHUP."
    ).reloadable
    static let onlyPresets = Setting<Bool>.flag(
        "only-presets",
        "Refuse all parameters of requests but preset, url and v, and those of signatures."
    ).reloadable
}

/// Settings of stickers and watermarks.
extension Settings {
    static let overlays = Setting.path(
        "overlays",
        "Folder of pictures for the parameters overlay and mark, beside the program's own; read again on SIGHUP.",
        default: "the program's own",
        expected: "the path of a folder",
        valueName: "folder"
    ).reloadable
}

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

/// The settings of live streams.
extension Settings {
    private static let streams = StreamConfiguration()

    static let maxStreams = Setting.integer(
        "max-streams",
        "Maximum number of live streams at the same time, 0 to turn /stream off.",
        in: 0...64,
        default: streams.maxStreams
    )
    static let maxStreamsPerAddress = Setting.integer(
        "max-streams-per-address",
        "Maximum number of live streams per client address at the same time.",
        in: 1...64,
        default: StreamConfiguration.share(of: streams.maxStreams),
        words: "three quarters of --max-streams, at least 1"
    )
    static let maxStreamsPerKey = Setting.integer(
        "max-streams-per-key",
        "Maximum number of live streams with one key or secret at the same time, if there are several.",
        in: 1...64,
        default: StreamConfiguration.share(of: streams.maxStreams),
        words: "three quarters of --max-streams, at least 1"
    )
    static let minStreamRate = Setting.integer(
        "min-stream-rate",
        "Bytes per second below which a live stream ends, on average of 30 seconds; 0 for no limit.",
        in: 0...1_000_000,
        default: streams.minBytesPerSecond
    )
    static let maxStreamTime = Setting.seconds(
        "max-stream-time",
        "Seconds after which a live stream ends.",
        default: streams.maxTime
    )
    static let maxStreamBytes = Setting.integer(
        "max-stream-bytes",
        "Bytes from the camera after which a live stream ends.",
        in: 1...1_099_511_627_776,
        default: streams.maxBytes
    )
    static let streamIdleTimeout = Setting.seconds(
        "stream-idle-timeout",
        "Seconds without a frame after which a live stream ends.",
        default: streams.idleTime
    )
}
