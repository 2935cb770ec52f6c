import Caching
import HeadroomAPI

/// Settings of access control.
extension Settings {
    static let signingKeys = SecretSetting("signing-keys", "File with the keys for signed requests.")
    static let bearerSecrets = SecretSetting(
        "bearer-secrets",
        "File with bearer secrets. Each secret authorises every request."
    )
    static let purgeSecrets = SecretSetting(
        "purge-secrets",
        "File with secrets of operators. Each authorises POST /purge, which removes an image from the caches."
    )
    static let tenantsFile = Setting.path(
        "tenants-file",
        "File of tenants: clients with their own keys, hosts and limits."
    ).reloadable
}

/// Settings of presets.
extension Settings {
    static let presets = Setting.path(
        "presets",
        "File of presets: named sets of parameters for preset=avatar and /preset/avatar. Reloaded on SIGHUP."
    ).reloadable
    static let onlyPresets = Setting<Bool>.flag(
        "only-presets",
        "Accept only preset, url, v and signature parameters in requests."
    ).reloadable
    static let defaultParameters = Setting.path(
        "default-parameters",
        "File of parameters for requests without them, for all routes or per route. Reloaded on SIGHUP."
    ).reloadable
}

/// Settings of stickers and watermarks.
extension Settings {
    static let overlays = Setting.path(
        "overlays",
        "Folder of images for overlay and watermark, in addition to the built-in stickers. Reloaded on SIGHUP.",
        default: "built-in stickers only",
        expected: "the path of a folder",
        valueName: "folder"
    ).reloadable
}

/// Settings of responses.
extension Settings {
    static let responseHeadersFile = Setting.path(
        "response-headers-file",
        "File with header fields of every response: lines such as X-Robots-Tag: noindex. Reloaded on SIGHUP."
    ).reloadable
}

/// Settings of the caches.
extension Settings {
    static let redis = Setting<RedisAddress?>.optional(
        "redis",
        """
        Redis server that shares the caches of several services: redis://[user:password@]host[:port][/database], \
        rediss: for TLS, redis+sentinel://host,host/service for Sentinel, or unix:/path. If it contains a password, set \
        HEADROOM_REDIS instead of this option.
        """,
        default: "none",
        expected: RedisAddress.expected,
        valueName: "address",
        text: { $0?.description },
        parse: { RedisAddress($0) }
    ).secret
    static let resultStore = Setting<ResultStoreConfiguration.Place?>.optional(
        "result-store",
        "Folder, or s3://bucket/prefix/, that keeps responses across restarts, below the caches in memory and Redis. Several "
            + "services may share it.",
        default: "none",
        expected: ResultStoreConfiguration.Place.expected,
        valueName: "place",
        text: { $0?.description },
        parse: { ResultStoreConfiguration.Place($0) }
    )
    static let resultStoreSize = Setting.integer(
        "result-store-size",
        "Maximum size of the folder of --result-store in MiB.",
        in: 64...16_777_216,
        default: ResultStoreConfiguration.standardBytes >> 20,
        valueName: "MiB"
    )
    static let resultStoreDays = Setting.integer(
        "result-store-days",
        "Lifetime of a response in --result-store, in days.",
        in: 1...365,
        default: ResultStoreConfiguration.standardDays,
        valueName: "days"
    )
    static let resultStoreTimeout = Setting.seconds(
        "result-store-timeout",
        "Time limit for a lookup in --result-store, in seconds. A request makes at most one.",
        from: 0.001,
        to: 10,
        default: ResultStoreConfiguration.standardTimeout
    )
    static let redisPasswordFile = Setting<String?>.optional(
        "redis-password-file",
        "File with the Redis password, instead of a password in --redis.",
        expected: "a file that can be read",
        valueName: "path",
        parse: { $0 }
    )
    static let redisSentinelPasswordFile = Setting.path(
        "redis-sentinel-password-file",
        "File with the password of the sentinels."
    )
    static let redisCAFile = Setting.path(
        "redis-ca-file",
        "PEM file with certificate authorities to trust for Redis, instead of the system's."
    )
    static let redisClientCertificate = Setting.path(
        "redis-client-certificate",
        "PEM file with the client certificate for Redis, and its chain."
    )
    static let redisClientKey = Setting.path(
        "redis-client-key",
        "PEM file with the private key of the client certificate, without a passphrase.",
        default: "in --redis-client-certificate"
    )
}
