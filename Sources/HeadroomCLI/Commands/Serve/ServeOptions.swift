import ArgumentParser
import HeadroomAPI

/// The options of `headroom serve`, as text.
///
/// All are optional: values may also be in the environment or in a file, and ``ServeSettings`` validates all of them,
/// so that all errors are reported at once.
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

/// The option for the settings file, shared by all commands that read it.
struct SettingsFileOptions: ParsableArguments {
    @Option(Settings.config) var config: String?
}

/// The options of `headroom serve` for pictures in buckets and in a folder, as text.
struct SourceOptions: ParsableArguments {
    @Option(Settings.localRoot) var localRoot: String?
    @Option(Settings.s3Buckets) var s3Buckets: String?
    @Option(Settings.s3Endpoint) var s3Endpoint: String?
    @Option(Settings.s3Region) var s3Region: String?
    @Option(Settings.s3PathStyle) var s3PathStyle: String?
    @Option(Settings.s3CredentialsFile) var s3CredentialsFile: String?
    @Option(Settings.s3Profile) var s3Profile: String?
    @Option(Settings.baseURL) var baseURL: String?
}

/// The options of `headroom serve` for live streams, as text.
struct StreamOptions: ParsableArguments {
    @Option(Settings.maxStreams) var maxStreams: String?
    @Option(Settings.maxStreamsPerAddress) var maxStreamsPerAddress: String?
    @Option(Settings.maxStreamsPerKey) var maxStreamsPerKey: String?
    @Option(Settings.minStreamRate) var minStreamRate: String?
    @Option(Settings.maxStreamTime) var maxStreamTime: String?
    @Option(Settings.maxStreamBytes) var maxStreamBytes: String?
    @Option(Settings.streamIdleTimeout) var streamIdleTimeout: String?
}

extension StreamConfiguration {
    /// Reads the options; the reader collects errors.
    init(_ options: StreamOptions, _ reader: inout SettingsReader) {
        self.init()
        maxStreams = reader.value(Settings.maxStreams, options.maxStreams)
        let share = StreamConfiguration.share(of: maxStreams)
        maxStreamsPerAddress = reader.value(
            Settings.maxStreamsPerAddress,
            options.maxStreamsPerAddress,
            default: share
        )
        maxStreamsPerKey = reader.value(Settings.maxStreamsPerKey, options.maxStreamsPerKey, default: share)
        minBytesPerSecond = reader.value(Settings.minStreamRate, options.minStreamRate)
        maxTime = reader.value(Settings.maxStreamTime, options.maxStreamTime)
        maxBytes = reader.value(Settings.maxStreamBytes, options.maxStreamBytes)
        idleTime = reader.value(Settings.streamIdleTimeout, options.streamIdleTimeout)
    }
}

/// The options of `headroom serve` for other services' addresses, as text.
struct GrammarOptions: ParsableArguments {
    @Option(Settings.grammars) var grammars: String?
    @Option(Settings.thumborKey.file) var thumborKeyFile: String?
    @Option(Settings.imgproxyKey.file) var imgproxyKeyFile: String?
    @Option(Settings.imgproxySalt.file) var imgproxySaltFile: String?
    @Option(Settings.imgproxyPresets) var imgproxyPresets: String?
    @Option(Settings.imgixToken.file) var imgixTokenFile: String?
    @Option(Settings.imgixSources) var imgixSources: String?
    @Option(Settings.cloudinarySecret.file) var cloudinarySecretFile: String?
    @Option(Settings.cloudinaryOrigin) var cloudinaryOrigin: String?
    @Option(Settings.cloudflareOrigin) var cloudflareOrigin: String?
    @Option(Settings.imagekitOrigin) var imagekitOrigin: String?
}

extension ServeSettings {
    /// Other services' addresses, their keys and their presets.
    static func grammars(_ options: GrammarOptions, _ reader: inout SettingsReader) -> GrammarConfiguration {
        var grammars = GrammarConfiguration()
        grammars.names = reader.value(Settings.grammars, options.grammars) ?? []
        grammars.thumborKeys = reader.secrets(Settings.thumborKey, file: options.thumborKeyFile)
        grammars.imgproxyKeys = reader.secrets(Settings.imgproxyKey, file: options.imgproxyKeyFile)
        grammars.imgproxySalts = reader.secrets(Settings.imgproxySalt, file: options.imgproxySaltFile)
        grammars.imgproxyPresets = reader.value(Settings.imgproxyPresets, options.imgproxyPresets) ?? [:]
        let sources = reader.value(Settings.imgixSources, options.imgixSources) ?? ImgixSources()
        grammars.imgixTokens = reader.tokens(Settings.imgixToken, file: options.imgixTokenFile, of: sources)
        grammars.imgixSources = sources
        grammars.cloudinarySecrets = reader.secrets(Settings.cloudinarySecret, file: options.cloudinarySecretFile)
        grammars.cloudinaryOrigin = reader.value(Settings.cloudinaryOrigin, options.cloudinaryOrigin)
        grammars.cloudflareOrigin = reader.value(Settings.cloudflareOrigin, options.cloudflareOrigin)
        grammars.imagekitOrigin = reader.value(Settings.imagekitOrigin, options.imagekitOrigin)
        let (keys, salts) = (grammars.imgproxyKeys, grammars.imgproxySalts)
        if keys.count != salts.count {
            reader.refuse(
                "imgproxy-salt has \(salts.count) salts, and imgproxy-key \(keys.count) keys: expected as many."
            )
        } else if !(keys + salts).allSatisfy(\.isHexadecimal) {
            reader.refuse("imgproxy-key or imgproxy-salt is not valid: expected hexadecimal digits in pairs.")
        }
        return grammars
    }
}
