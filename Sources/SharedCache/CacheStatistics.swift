/// What a cache has done since the process started, and what it holds now.
package struct CacheStatistics: Hashable, Sendable {
    /// Lookups that memory answered.
    package var hits = 0
    /// Lookups that memory could not answer.
    package var misses = 0
    /// Of the misses, those that the shared store answered.
    package var sharedHits = 0
    /// Callers that waited for another's work instead of doing it again.
    package var joined = 0
    /// Values that were put in.
    package var stores = 0
    /// Values that were dropped for want of room.
    package var evictions = 0
    /// Values in memory now.
    package var entries = 0
    /// What they take, in bytes.
    package var bytes = 0
    /// What they may take, in bytes; 0 for a cache that is switched off.
    package var budget = 0

    /// Of a cache in which nothing has happened, but for what is given.
    package init(
        hits: Int = 0,
        misses: Int = 0,
        stores: Int = 0,
        evictions: Int = 0,
        bytes: Int = 0,
        budget: Int = 0
    ) {
        self.hits = hits
        self.misses = misses
        self.stores = stores
        self.evictions = evictions
        self.bytes = bytes
        self.budget = budget
    }
}
