/// Counters of a cache since the process started, and its current content.
package struct CacheStatistics: Hashable, Sendable {
    /// The number of lookups that found a value in memory.
    package var hits = 0
    /// The number of lookups that did not find a value in memory.
    package var misses = 0
    /// The number of misses whose value was found in the shared store.
    package var sharedHits = 0
    /// The number of callers that joined a run in progress instead of repeating it.
    package var joined = 0
    package var stores = 0
    /// The number of values that were evicted to free memory.
    package var evictions = 0
    package var entries = 0
    /// Memory of the values, in bytes.
    package var bytes = 0
    /// The memory budget in bytes; 0 for a disabled cache.
    package var budget = 0

    /// Creates statistics with the given values; all other values are 0.
    package init(hits: Int = 0, misses: Int = 0, stores: Int = 0, evictions: Int = 0, bytes: Int = 0, budget: Int = 0) {
        self.hits = hits
        self.misses = misses
        self.stores = stores
        self.evictions = evictions
        self.bytes = bytes
        self.budget = budget
    }
}
