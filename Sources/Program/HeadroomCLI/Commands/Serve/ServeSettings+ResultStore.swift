import Caching
import HeadroomAPI

extension ServeSettings {
    /// The result store; nil without a location, or after an error in the location.
    static func resultStore(_ options: CacheOptions, _ reader: inout SettingsReader) -> ResultStoreConfiguration? {
        // Settings are read even without a location, so that their errors are reported.
        let mebibytes = reader.value(Settings.resultStoreSize, options.resultStoreSize)
        let days = reader.value(Settings.resultStoreDays, options.resultStoreDays)
        let timeout = reader.value(Settings.resultStoreTimeout, options.resultStoreTimeout)
        guard let place = reader.value(Settings.resultStore, options.resultStore) else { return nil }
        if let problem = place.problem {
            reader.refuse(Settings.resultStore, options.resultStore, "\(Settings.resultStore.expected); \(problem)")
        }
        var store = ResultStoreConfiguration(place)
        store.maxBytes = mebibytes << 20
        store.lifetime = .seconds(days * 86_400)
        store.timeout = timeout
        return store
    }
}
