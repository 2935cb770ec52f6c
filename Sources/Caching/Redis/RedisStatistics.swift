/// Counters of a Redis since the process started.
package struct RedisStatistics: Hashable, Sendable {
    /// Whether Redis is connected and in use.
    package var isConnected = false
    /// Lookups that found a value.
    package var hits = 0
    /// Lookups that found no value.
    package var misses = 0
    /// Lookups that timed out.
    package var late = 0
    /// Lookups that were not sent, because Redis was not in use or had too many pending.
    package var skipped = 0
    /// Written values.
    package var writes = 0
    /// Values that were not written or refused.
    package var droppedWrites = 0
    /// Transitions from in use to out of use.
    package var failures = 0

    /// All counters are 0.
    package init() {}
}
