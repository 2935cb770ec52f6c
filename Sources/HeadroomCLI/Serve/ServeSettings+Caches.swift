import HeadroomAPI

extension ServeSettings {
    /// What is kept, and shared.
    static func caches(_ options: CacheOptions, _ reader: inout SettingsReader) -> CacheConfiguration {
        var caches = CacheConfiguration(
            sourceBytes: reader.value(Settings.cacheSources, options.cacheSources) << 20,
            detectionBytes: reader.value(Settings.cacheDetections, options.cacheDetections) << 20,
            resultBytes: reader.value(Settings.cacheResults, options.cacheResults) << 20
        )
        caches.redis = reader.value(Settings.redis, options.redis)
        return caches
    }
}
