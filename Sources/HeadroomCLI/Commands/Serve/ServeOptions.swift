import ArgumentParser

/// The options of `headroom serve`, as text.
///
/// All are optional: values may also be in the environment or in a file, and ``ServeSettings`` validates all of them, so
/// that all errors are reported at once.
struct ServeOptions: ParsableArguments {
    @OptionGroup var file: SettingsFileOptions
    @Option(Settings.host) var host: String?
    @Option(Settings.port) var port: String?
    @Option(Settings.unixSocket) var unixSocket: String?
    @Option(Settings.workers) var workers: String?
    @Option(Settings.queue) var queue: String?
    @Option(Settings.queueTimeout) var queueTimeout: String?
    @Flag(Settings.unreadyWhenFull) var unreadyWhenFull: Bool?
    @Option(Settings.maxMemory) var maxMemory: String?
    @Option(Settings.maxBodyBytes) var maxBodyBytes: String?
    @Option(Settings.maxUploadMemory) var maxUploadMemory: String?
    @Option(Settings.maxUnsentMemory) var maxUnsentMemory: String?
    @Option(Settings.maxSourceBytes) var maxSourceBytes: String?
    @Option(Settings.maxSourceMemory) var maxSourceMemory: String?
    @Option(Settings.maxPixels) var maxPixels: String?
    @Option(Settings.maxFrames) var maxFrames: String?
    @Option(Settings.maxAnimationPixels) var maxAnimationPixels: String?
    @Option(Settings.avifMaxPixels) var avifMaxPixels: String?
    @Option(Settings.maxConnections) var maxConnections: String?
    @Option(Settings.maxConnectionsPerAddress) var maxConnectionsPerAddress: String?
    @Option(Settings.headerTimeout) var headerTimeout: String?
    @Option(Settings.bodyTimeout) var bodyTimeout: String?
    @Option(Settings.writeTimeout) var writeTimeout: String?
    @Option(Settings.idleTimeout) var idleTimeout: String?
    @Option(Settings.drainTimeout) var drainTimeout: String?
    @Flag(Settings.allowPrivateSources) var allowPrivateSources: Bool?
    @Option(Settings.connectTimeout) var connectTimeout: String?
    @Option(Settings.fetchTimeout) var fetchTimeout: String?
    @Option(Settings.maxRedirects) var maxRedirects: String?
    @Option(Settings.fetchSlots) var fetchSlots: String?
    @Option(Settings.fetchQueue) var fetchQueue: String?
    @Option(Settings.fetchSlotsPerHost) var fetchSlotsPerHost: String?
    @Option(Settings.fetchSlotsPerClient) var fetchSlotsPerClient: String?
    @Option(Settings.cacheControl) var cacheControl: String?
    @Option(Settings.detector) var detector: String?
    @Option(Settings.isolation) var isolation: String?
    @Option(Settings.damaged) var damaged: String?
    @Option(Settings.jobTimeout) var jobTimeout: String?
    @Option(Settings.logLevel) var logLevel: String?
    @Option(Settings.logFormat) var logFormat: String?
    @Option(Settings.playground) var playground: String?
    @Option(Settings.metricsAddress) var metricsAddress: String?
    @OptionGroup var sources: SourceOptions
    @OptionGroup var caches: CacheOptions
    @OptionGroup var access: AccessOptions
    @Option(Settings.overlays) var overlays: String?
    @OptionGroup var presets: PresetOptions
    @OptionGroup var grammars: GrammarOptions
    @OptionGroup var streams: StreamOptions
}

/// The options of `headroom serve` for caches, as text.
struct CacheOptions: ParsableArguments {
    @Option(Settings.cacheSources) var cacheSources: String?
    @Option(Settings.cacheDetections) var cacheDetections: String?
    @Option(Settings.cacheResults) var cacheResults: String?
    @Option(Settings.redis) var redis: String?
    @Option(Settings.redisPasswordFile) var redisPasswordFile: String?
    @Option(Settings.redisTimeout) var redisTimeout: String?
}

/// The options of `headroom serve` for presets, as text.
struct PresetOptions: ParsableArguments {
    @Option(Settings.presets) var presets: String?
    @Flag(Settings.onlyPresets) var onlyPresets: Bool?
}

/// The options of `headroom serve` for access control, as text.
struct AccessOptions: ParsableArguments {
    @OptionGroup var keys: SigningKeyOptions
    @Option(Settings.bearerSecrets.file) var bearerSecretsFile: String?
    @Option(Settings.tenantsFile) var tenantsFile: String?
    @Option(Settings.corsOrigins) var corsOrigins: String?
    @Option(Settings.allowHosts) var allowHosts: String?
}
