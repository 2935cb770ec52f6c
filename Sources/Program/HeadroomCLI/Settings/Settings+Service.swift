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
    static let redis = Setting<RedisAddress?>.optional(
        "redis",
        """
        Redis server that shares the caches of several services: redis://[user:password@]host[:port][/database], \
        rediss: for TLS, redis+sentinel://host,host/service for Sentinel, or unix:/path. Put an address with a password \
        into HEADROOM_REDIS.
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
    static let redisSentinelPasswordFile = Setting.path(
        "redis-sentinel-password-file",
        "File with the password of the sentinels."
    )
    static let redisCAFile = Setting.path(
        "redis-ca-file",
        "PEM file with certificate authorities that are trusted for Redis in place of those of the system."
    )
    static let redisClientCertificate = Setting.path(
        "redis-client-certificate",
        "PEM file with the certificate, and its chain, that is shown to Redis."
    )
    static let redisClientKey = Setting.path(
        "redis-client-key",
        "PEM file with the key of that certificate, without a passphrase.",
        default: "in --redis-client-certificate"
    )
}
