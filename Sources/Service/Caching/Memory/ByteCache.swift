public import Synchronization

/// An in-memory LRU cache with a budget in bytes.
///
/// The class, its lookup and its imports are `public`, because the compiler specialises only public declarations for
/// types from other modules. Without specialisation, looking up these types at run time took a twentieth of the time of
/// a cached response.
public final class ByteCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct State {
        var list = RecencyList<Key, Value>()
        var statistics = CacheStatistics()
    }

    /// The memory of an entry in addition to the bytes of its value: the key, the links, and the headers of arrays and
    /// strings.
    package static var bytesPerEntry: Int { 512 }

    /// The memory budget for all values in bytes; 0 disables the cache.
    package let budget: Int

    /// The maximum memory of one value in bytes, including ``bytesPerEntry``.
    ///
    /// It is a quarter of the budget, so that one value does not evict all other values.
    package var maxEntryBytes: Int { budget / 4 }

    private let state = Mutex(State())

    /// Creates an empty cache.
    ///
    /// - Parameter budget: The memory budget for all values in bytes, including ``bytesPerEntry`` for each value; 0
    ///   disables the cache.
    package init(budget: Int) { self.budget = budget }

    /// Whether the cache stores anything.
    package var isEnabled: Bool { budget > 0 }

    /// Returns the cached value for a key.
    ///
    /// - Parameters:
    ///   - key: The key of the value.
    ///   - isCounted: Whether the statistics count this lookup; false for a repeated lookup after a miss.
    /// - Returns: Nil if no value is cached.
    public func value(for key: Key, isCounted: Bool = true) -> Value? {
        guard isEnabled else { return nil }
        return state.withLock { state in
            let value = state.list.use(key)
            if isCounted {
                if value == nil { state.statistics.misses += 1 } else { state.statistics.hits += 1 }
            }
            return value
        }
    }

    /// Stores a value for a key and replaces the previous value.
    ///
    /// A value larger than ``maxEntryBytes`` is not stored. The previous value is removed, because it is outdated.
    ///
    /// - Parameters:
    ///   - value: The new value of the key.
    ///   - key: The key of the value.
    ///   - bytes: The memory of the value, excluding ``bytesPerEntry``.
    package func store(_ value: Value, for key: Key, bytes: Int) {
        let cost = bytes + Self.bytesPerEntry
        guard cost <= maxEntryBytes else { return remove(key) }
        // Large arrays are deallocated after the lock is released, because deallocation is slow.
        let dropped = state.withLock { state -> [Value] in
            var dropped: [Value] = []
            if let replaced = state.list.insert(value, for: key, cost: cost) { dropped.append(replaced) }
            while state.list.cost > budget, let oldest = state.list.removeOldest() {
                dropped.append(oldest)
                state.statistics.evictions += 1
            }
            state.statistics.stores += 1
            return dropped
        }
        withExtendedLifetime(dropped) {}
    }

    /// Removes the value for a key, if present.
    ///
    /// The statistics do not count it as an eviction.
    package func remove(_ key: Key) {
        guard isEnabled else { return }
        let removed = state.withLock { $0.list.remove(key) }
        withExtendedLifetime(removed) {}
    }

    /// Removes the values of all keys that meet a condition, and returns these values.
    ///
    /// The time is proportional to the number of keys. The statistics do not count evictions.
    @discardableResult
    package func removeAll(where isRemoved: (Key) -> Bool) -> [Value] {
        guard isEnabled else { return [] }
        // The condition is evaluated after the lock is released, because there may be many keys.
        let keys = state.withLock { $0.list.keys }.filter(isRemoved)
        return keys.compactMap { key in state.withLock { $0.list.remove(key) } }
    }

    /// Counters since the process started, and the current content.
    package var statistics: CacheStatistics {
        state.withLock { state in
            var statistics = state.statistics
            statistics.entries = state.list.count
            statistics.bytes = state.list.cost
            statistics.budget = budget
            return statistics
        }
    }
}
