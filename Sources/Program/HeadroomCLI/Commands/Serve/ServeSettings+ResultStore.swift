import Caching
import HeadroomAPI

extension ServeSettings {
    /// The store of results; nil without a place, or after an error in it.
    static func resultStore(_ options: CacheOptions, _ reader: inout SettingsReader) -> ResultStoreConfiguration? {
        // Read even without a place, to report errors.
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
