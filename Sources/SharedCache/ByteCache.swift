import Synchronization

/// Values in memory, of which the least recently used are dropped when they would take more bytes than a budget.
package final class ByteCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct State {
        var list = RecencyList<Key, Value>()
        var statistics = CacheStatistics()
    }

    /// What an entry takes beside the bytes of its value: the key, links, and the heads of arrays and strings.
    package static var bytesPerEntry: Int { 512 }

    /// No value may take more than this part of the budget, so that one does not drive out all others.
    package static var largestShare: Int { 4 }

    /// The bytes that all values may take together; 0 keeps nothing.
    package let budget: Int

    private let state = Mutex(State())

    /// A cache with a budget in bytes.
    package init(budget: Int) { self.budget = budget }

    /// Whether anything is ever kept.
    package var isEnabled: Bool { budget > 0 }

    /// The value of a key, if it is there.
    ///
    /// - Parameters:
    ///   - key: Of the value.
    ///   - isCounted: Whether this is a lookup of its own, and not one that looks again for what another one missed.
    /// - Returns: Nil when it is not there.
    package func value(for key: Key, isCounted: Bool = true) -> Value? {
        guard isEnabled else { return nil }
        return state.withLock { state in
            let value = state.list.use(key)
            if isCounted {
                if value == nil { state.statistics.misses += 1 } else { state.statistics.hits += 1 }
            }
            return value
        }
    }

    /// Keeps a value, unless it is too large.
    ///
    /// - Parameters:
    ///   - value: Replaces what was kept for the key.
    ///   - key: Of the value.
    ///   - bytes: What the value takes, without ``bytesPerEntry``.
    package func store(_ value: Value, for key: Key, bytes: Int) {
        let cost = bytes + Self.bytesPerEntry
        guard cost <= budget / Self.largestShare else { return remove(key) }
        // Large arrays are given back to the system, which takes a while, after the lock.
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

    /// Forgets a value.
    package func remove(_ key: Key) {
        guard isEnabled else { return }
        let removed = state.withLock { $0.list.remove(key) }
        withExtendedLifetime(removed) {}
    }

    /// What it has done, and holds.
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
