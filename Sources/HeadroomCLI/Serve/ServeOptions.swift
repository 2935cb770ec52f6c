import ArgumentParser

/// The options of `headroom serve`, as they were typed.
///
/// All are optional text: what was not typed may stand in the environment or in a file, and every value is checked in one
/// place, so that all mistakes are reported at once. See ``ServeSettings``.
struct ServeOptions: ParsableArguments {
    @OptionGroup var file: SettingsFileOptions
    @Option(Settings.host) var host: String?
    @Option(Settings.port) var port: String?
    @Option(Settings.unixSocket) var unixSocket: String?
    @Option(Settings.workers) var workers: String?
    @Option(Settings.queue) var queue: String?
    @Option(Settings.queueTimeout) var queueTimeout: String?
    @Option(Settings.maxMemory) var maxMemory: String?
    @Option(Settings.maxBodyBytes) var maxBodyBytes: String?
    @Option(Settings.maxUploadMemory) var maxUploadMemory: String?
    @Option(Settings.maxSourceBytes) var maxSourceBytes: String?
    @Option(Settings.maxPixels) var maxPixels: String?
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
    @Option(Settings.cacheControl) var cacheControl: String?
    @Option(Settings.detector) var detector: String?
    @Option(Settings.isolation) var isolation: String?
    @Option(Settings.jobTimeout) var jobTimeout: String?
    @Option(Settings.logLevel) var logLevel: String?
    @Option(Settings.logFormat) var logFormat: String?
    @Option(Settings.metricsAddress) var metricsAddress: String?
    @OptionGroup var caches: CacheOptions
    @OptionGroup var access: AccessOptions
}

/// Where the settings file is, for all commands that read it.
struct SettingsFileOptions: ParsableArguments {
    @Option(Settings.config) var config: String?
}
