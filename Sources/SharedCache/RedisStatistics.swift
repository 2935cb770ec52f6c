/// What a Redis has been good for since the process started.
package struct RedisStatistics: Hashable, Sendable {
    /// Whether it is in use now.
    package var isConnected = false
    /// Lookups that it had an answer to.
    package var hits = 0
    /// Lookups that it had none to.
    package var misses = 0
    /// Lookups that it did not answer in time.
    package var late = 0
    /// Lookups that were not made, as it was not in use or had too many to answer.
    package var skipped = 0
    /// Values that it took.
    package var writes = 0
    /// Values that it did not get or take.
    package var droppedWrites = 0
    /// How often it went out of use.
    package var failures = 0

    /// One that was good for nothing so far.
    package init() {}
}
