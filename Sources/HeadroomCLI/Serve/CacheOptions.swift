import ArgumentParser

/// The options of `headroom serve` about what is kept, as they were typed.
struct CacheOptions: ParsableArguments {
    @Option(Settings.cacheSources) var cacheSources: String?
    @Option(Settings.cacheDetections) var cacheDetections: String?
    @Option(Settings.cacheResults) var cacheResults: String?
    @Option(Settings.redis) var redis: String?
}
