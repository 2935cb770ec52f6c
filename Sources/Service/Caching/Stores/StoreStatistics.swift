/// Counters of a result store since the process started.
package struct StoreStatistics: Hashable, Sendable {
    /// Whether the store is available for lookups.
    package var isAvailable = true
    /// The number of lookups that found a value.
    package var hits = 0
    /// The number of lookups that did not find a value.
    package var misses = 0
    /// The number of lookups that timed out.
    package var late = 0
    /// The number of lookups that failed.
    package var failed = 0
    /// The number of lookups that were not made, because the store was unavailable or too many lookups were pending.
    package var skipped = 0
    package var writes = 0
    /// The number of values that were not written, because they were too large, too many values were waiting, or an
    /// earlier write had failed.
    package var droppedWrites = 0
    /// The number of writes that failed, for example on a full disk.
    package var failedWrites = 0
    /// The number of damaged values that were found and removed.
    package var damaged = 0
    /// The size and the limit; nil for a bucket.
    package var usage: StoreUsage?

    /// Creates the counters for a store that has not been used.
    package init() {}
}
