/// Counters of a result store since the process started.
package struct StoreStatistics: Hashable, Sendable {
    /// Whether the store is available for lookups.
    package var isAvailable = true
    /// Lookups that found a value.
    package var hits = 0
    /// Lookups that did not find a value.
    package var misses = 0
    /// Lookups that timed out.
    package var late = 0
    /// Lookups that failed.
    package var failed = 0
    /// Lookups that were not made, because the store was unavailable or too many lookups were pending.
    package var skipped = 0
    package var writes = 0
    /// Values that were not written, because they were too large, too many waited, or an earlier write had failed.
    package var droppedWrites = 0
    /// Writes that failed, for example on a full disk.
    package var failedWrites = 0
    /// Damaged values that were found and removed.
    package var damaged = 0
    /// The size and the limit; nil for a bucket.
    package var usage: StoreUsage?

    /// Creates the counters of a store that was not used yet.
    package init() {}
}
