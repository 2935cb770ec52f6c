import Synchronization

/// The bytes that ended a worker process, so that they are not tried on all workers in turn.
///
/// Sources are told apart by SipHash with a key that is drawn when the process starts, which is what Swift's `Hasher` is:
/// it is fast, and nobody outside can make another picture have the same hash, be it to have that one refused. Chance has
/// 64 bits and the length against it.
package final class RefusedSources: Sendable {
    private struct Key: Hashable {
        let hash: Int
        let count: Int
    }

    private struct Entry {
        /// What weighs against the source; it is refused from 2 on.
        var weight: Int
        var until: ContinuousClock.Instant
    }

    private let time: Duration
    private let limit: Int
    private let entries = Mutex<[Key: Entry]>([:])
    // So that a service in which nothing went wrong hashes nothing.
    private let isEmpty = Atomic(true)

    /// Refuses each of at most `limit` sources for `time`.
    package init(time: Duration, limit: Int) {
        self.time = time
        self.limit = limit
    }

    /// How many are refused now.
    package var count: Int {
        entries.withLock { entries in entries.values.count { $0.weight >= 2 && $0.until > .now } }
    }

    /// For how long a source is refused; nil when it is not.
    package func remaining(for source: [UInt8]) -> Duration? {
        guard !isEmpty.load(ordering: .relaxed) else { return nil }
        let key = Self.key(source)
        return entries.withLock { entries in
            guard let entry = entries[key] else { return nil }
            let rest = entry.until - .now
            if rest > .zero { return entry.weight >= 2 ? rest : nil }
            entries[key] = nil
            isEmpty.store(entries.isEmpty, ordering: .relaxed)
            return nil
        }
    }

    /// Refuses a source from now on; one that is only suspected when that happens twice.
    package func add(_ source: [UInt8], isCertain: Bool) {
        let key = Self.key(source)
        let now = ContinuousClock.now
        entries.withLock { entries in
            if entries[key] == nil, entries.count >= limit {
                entries = entries.filter { $0.value.until > now }
                if entries.count >= limit, let oldest = entries.min(by: { $0.value.until < $1.value.until }) {
                    entries[oldest.key] = nil
                }
            }
            let before = entries[key].map { $0.until > now ? $0.weight : 0 } ?? 0
            entries[key] = Entry(weight: before + (isCertain ? 2 : 1), until: now + time)
            isEmpty.store(false, ordering: .relaxed)
        }
    }

    private static func key(_ source: [UInt8]) -> Key {
        var hasher = Hasher()
        source.withUnsafeBytes { hasher.combine(bytes: $0) }
        return Key(hash: hasher.finalize(), count: source.count)
    }
}
