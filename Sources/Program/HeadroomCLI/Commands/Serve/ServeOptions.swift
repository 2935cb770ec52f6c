import ArgumentParser
import HeadroomAPI

/// The options of `headroom serve`, as text.
///
/// All are optional: values may also be in the environment or in a file. ``ServeSettings`` validates all values
/// together, so that all errors are reported at once. Options with a name have a row with this name in ``ServeRows``.
struct ServeOptions: ParsableArguments {
    @OptionGroup var file: SettingsFileOptions
    @Option(Settings.host) var host: String?
    @Option(Settings.port) var port: String?
    @Option(Settings.unixSocket) var unixSocket: String?
    @Option(Settings.pathPrefix) var pathPrefix: String?
    @Option(Settings.publicURL) var publicURL: String?
    @Option(Settings.workers) var workers: String?
    @Option(Settings.queue) var queue: String?
    @Option("queue-timeout") var queueTimeout: String?
    @Flag("unready-when-full") var unreadyWhenFull: Bool?
    @Option(Settings.maxMemory) var maxMemory: String?
    @Option(Settings.maxBodyBytes) var maxBodyBytes: String?
    @Option(Settings.maxUploadMemory) var maxUploadMemory: String?
    @Option(Settings.maxUnsentMemory) var maxUnsentMemory: String?
    @Option(Settings.maxSourceBytes) var maxSourceBytes: String?
    @Option(Settings.maxSourceMemory) var maxSourceMemory: String?
    @Option(Settings.maxPixels) var maxPixels: String?
    @Option("max-frames") var maxFrames: String?
    @Option("max-animation-pixels") var maxAnimationPixels: String?
    @Option("avif-max-pixels") var avifMaxPixels: String?
    @Option("max-connections") var maxConnections: String?
    @Option("max-connections-per-address") var maxConnectionsPerAddress: String?
    @Option("trusted-proxies") var trustedProxies: String?
    @Option("header-timeout") var headerTimeout: String?
    @Option("body-timeout") var bodyTimeout: String?
    @Option("write-timeout") var writeTimeout: String?
    @Option("idle-timeout") var idleTimeout: String?
    @Option("drain-timeout") var drainTimeout: String?
    @Flag(Settings.allowPrivateSources) var allowPrivateSources: Bool?
    @Option(Settings.connectTimeout) var connectTimeout: String?
    @Option(Settings.fetchTimeout) var fetchTimeout: String?
    @Option(Settings.maxRedirects) var maxRedirects: String?
    @Option(Settings.fetchSlots) var fetchSlots: String?
    @Option("fetch-queue") var fetchQueue: String?
    @Option("fetch-slots-per-host") var fetchSlotsPerHost: String?
    @Option("fetch-slots-per-client") var fetchSlotsPerClient: String?
    @Option(Settings.detector) var detector: String?
    @Option(Settings.isolation) var isolation: String?
    @Option("damaged") var damaged: String?
    @Option(Settings.jobTimeout) var jobTimeout: String?
    @Option("converter-confinement") var converterConfinement: String?
    @Option("log-level") var logLevel: String?
    @Option("log-format") var logFormat: String?
    @Option("playground") var playground: String?
    @Option("metrics-address") var metricsAddress: String?
    @OptionGroup var sources: SourceOptions
    @OptionGroup var caches: CacheOptions
    @OptionGroup var access: AccessOptions
    @Option(Settings.overlays) var overlays: String?
    @Option(Settings.missingImage) var missingImage: String?
    @Option("fallback-image-status") var fallbackImageStatus: String?
    @OptionGroup var presets: PresetOptions
    @OptionGroup var urlFormats: URLFormatOptions
    @OptionGroup var streams: StreamOptions
    @OptionGroup(visibility: .hidden) var deprecated: DeprecatedServeOptions
}

/// The options with old names, as in ``DeprecatedName``; the help does not contain them.
struct DeprecatedServeOptions: ParsableArguments {
    @Option(name: .customLong("missing-picture")) var missingPicture: String?
    @OptionGroup var urlFormats: DeprecatedURLFormatOptions

    /// The given values, by the old name of the setting.
    var values: [String: String] {
        var values = urlFormats.values
        values["missing-picture"] = missingPicture
        return values
    }
}

/// The options of `headroom serve` for caches, as text.
struct CacheOptions: ParsableArguments {
    @Option("cache-control") var cacheControl: String?
    @Option("cache-control-crops") var cacheControlCrops: String?
    @Option("cache-control-versioned") var cacheControlVersioned: String?
    @Option("cache-control-fallbacks") var cacheControlFallbacks: String?
    @Option("cache-control-missing") var cacheControlMissing: String?
    @Option("cache-control-errors") var cacheControlErrors: String?
    @Option("cache-tag-headers") var cacheTagHeaders: String?
    @Option(Settings.responseHeadersFile) var responseHeadersFile: String?
    @Option("cache-sources") var cacheSources: String?
    @Option("cache-detections") var cacheDetections: String?
    @Option("cache-results") var cacheResults: String?
    @Option(Settings.resultStore) var resultStore: String?
    @Option(Settings.resultStoreSize) var resultStoreSize: String?
    @Option(Settings.resultStoreDays) var resultStoreDays: String?
    @Option(Settings.resultStoreTimeout) var resultStoreTimeout: String?
    @Option(Settings.redis) var redis: String?
    @Option(Settings.redisPasswordFile) var redisPasswordFile: String?
    @Option(Settings.redisSentinelPasswordFile) var redisSentinelPasswordFile: String?
    @Option(Settings.redisCAFile) var redisCAFile: String?
    @Option(Settings.redisClientCertificate) var redisClientCertificate: String?
    @Option(Settings.redisClientKey) var redisClientKey: String?
    @Option("redis-timeout") var redisTimeout: String?
}

/// The options of `headroom serve` for presets, as text.
struct PresetOptions: ParsableArguments {
    @Option(Settings.presets) var presets: String?
    @Flag(Settings.onlyPresets) var onlyPresets: Bool?
    @Option(Settings.defaultParameters) var defaultParameters: String?
    @Option("ignored-parameters") var ignoredParameters: String?
}

/// The options of `headroom serve` for access control, as text.
struct AccessOptions: ParsableArguments {
    @OptionGroup var keys: SigningKeyOptions
    @Option(Settings.bearerSecrets.file) var bearerSecretsFile: String?
    @Option(Settings.purgeSecrets.file) var purgeSecretsFile: String?
    @Option(Settings.tenantsFile) var tenantsFile: String?
    @Option("cors-origins") var corsOrigins: String?
    @Option("cors-headers") var corsHeaders: String?
    @Flag("cors-credentials") var corsCredentials: Bool?
    @Option(Settings.allowHosts) var allowHosts: String?
    @Option(Settings.denyHosts) var denyHosts: String?
}

/// The option for the settings file, shared by all commands that read it.
struct SettingsFileOptions: ParsableArguments {
    @Option(Settings.config) var config: String?
}
