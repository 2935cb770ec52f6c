import HeadroomAPI
import SharedCache

extension ServeSettings {
    /// What is kept, and shared.
    static func caches(_ options: CacheOptions, _ reader: inout SettingsReader) -> CacheConfiguration {
        let standard = CacheConfiguration()
        func bytes(_ name: String, _ option: String?, _ fallback: Int) -> Int {
            reader.integer(name, option, in: 0...1_048_576, default: fallback >> 20) << 20
        }
        var caches = CacheConfiguration(
            sourceBytes: bytes("cache-sources", options.cacheSources, standard.sourceBytes),
            detectionBytes: bytes("cache-detections", options.cacheDetections, standard.detectionBytes),
            resultBytes: bytes("cache-results", options.cacheResults, standard.resultBytes)
        )
        caches.redis = reader.value(
            "redis",
            options.redis,
            isSecret: true,
            expected: RedisAddress.expected,
            RedisAddress.init
        )
        return caches
    }
}
