public import Synchronization

/// An in-memory cache that is backed by a shared store and a result store.
///
/// It is `public` for the same reason as ``ByteCache``.
public final class TieredCache<Value: Sendable>: Sendable {
    /// Conversion between values and records of the shared store.
    package struct Coding: Sendable {
        /// Converts a value to a record; nil if the value must not be shared.
        package var encode: @Sendable (Value) -> SharedRecord?
        /// Converts a record, which is untrusted, to a value and the memory of the value in bytes; nil for an invalid
        /// record.
        package var decode: @Sendable (SharedRecord) -> (value: Value, bytes: Int)?
        /// The lifetime in the shared store.
        package var lifetime: Duration

        /// Creates a conversion from two functions.
        package init(
            lifetime: Duration,
            encode: @escaping @Sendable (Value) -> SharedRecord?,
            decode: @escaping @Sendable (SharedRecord) -> (value: Value, bytes: Int)?
        ) {
            self.lifetime = lifetime
            self.encode = encode
            self.decode = decode
        }
    }

    private let memory: ByteCache<String, Value>
    private let prefix: String
    private let store: (any SharedStore)?
    private let results: ResultStore?
    private let coding: Coding
    private let sharedHits = Atomic(0)

    /// Creates a cache with up to three levels.
    ///
    /// - Parameters:
    ///   - name: The prefix of keys in both stores.
    ///   - budget: The memory budget in bytes. 0 disables the memory level and, without a result store, also the shared
    ///   store.
    ///   - store: The shared store; nil for none.
    ///   - results: The result store; nil for none.
    ///   - coding: Conversion to and from records.
    package init(
        name: String,
        budget: Int,
        store: (any SharedStore)?,
        results: ResultStore? = nil,
        coding: Coding
    ) {
        memory = ByteCache(budget: budget)
        prefix = "\(name):"
        self.store = store
        self.results = results
        self.coding = coding
    }

    /// Whether the cache stores anything.
    package var isEnabled: Bool { memory.isEnabled || results != nil }

    /// Counters since the process started, and the current content.
    package var statistics: CacheStatistics {
        var statistics = memory.statistics
        statistics.sharedHits = sharedHits.load(ordering: .relaxed)
        return statistics
    }

    /// Returns the value in memory.
    public func value(for key: String) -> Value? { memory.value(for: key) }

    /// Returns the value in memory.
    ///
    /// The statistics do not count this lookup.
    package func peek(_ key: String) -> Value? { memory.value(for: key, isCounted: false) }

    /// Returns the value for a key after a miss in memory, with its level.
    ///
    /// The value may have been stored in memory since then, or it may be in one of the stores.
    ///
    /// A value from a store is also stored in the levels above this store.
    ///
    /// - Parameters:
    ///   - key: Any text.
    ///   - labels: The labels whose purge hides the value in the result store.
    ///   - isCurrent: Whether there was no purge since the request began. If there was one, the value is not stored.
    /// - Returns: The value and its level; nil if no level contains it.
    package func missedValue(
        for key: String,
        labels: [String] = [],
        isCurrent: () -> Bool = { true }
    ) async -> (value: Value, level: CacheLevel)? {
        if let value = memory.value(for: key, isCounted: false) { return (value, .memory) }
        guard isEnabled else { return nil }
        let sharedKey = prefix + key
        if let bytes = await store?.bytes(for: sharedKey), let (value, size) = decoded(bytes, sharedKey) {
            sharedHits.add(1, ordering: .relaxed)
            keepInMemory(value, for: key, bytes: size, isCurrent)
            return (value, .shared)
        }
        guard let bytes = await results?.bytes(for: StoredKey(sharedKey, labels: labels)),
            let (value, size) = decoded(bytes, sharedKey)
        else { return nil }
        keepInMemory(value, for: key, bytes: size, isCurrent)
        if isCurrent() { store?.keep(bytes, for: sharedKey, lifetime: coding.lifetime) }
        return (value, .stored)
    }

    private func decoded(_ bytes: [UInt8], _ key: String) -> (value: Value, bytes: Int)? {
        SharedRecord(framed: bytes, for: key).flatMap { coding.decode($0) }
    }

    /// Stores a value from a store in memory, unless a purge has happened in the meantime.
    private func keepInMemory(_ value: Value, for key: String, bytes: Int, _ isCurrent: () -> Bool) {
        memory.store(value, for: key, bytes: bytes)
        // Checked afterwards, because a purge first counts itself and then removes values.
        if !isCurrent() { memory.remove(key) }
    }

    /// Stores a value in memory and in the stores.
    ///
    /// - Parameters:
    ///   - value: The value of the key.
    ///   - key: Any text.
    ///   - bytes: The memory of the value.
    ///   - isShared: Whether to write the value to the stores in addition to memory.
    ///   - labels: The labels whose purge hides the value in the result store.
    ///   - began: The time before the value's sources were read, in seconds since 1970; used by the result store.
    package func keep(
        _ value: Value,
        for key: String,
        bytes: Int,
        isShared: Bool = true,
        labels: [String] = [],
        began: Int = 0
    ) {
        guard isEnabled else { return }
        memory.store(value, for: key, bytes: bytes)
        guard isShared, store != nil || results != nil, let record = coding.encode(value) else { return }
        let sharedKey = prefix + key
        let framed = record.framed(for: sharedKey)
        store?.keep(framed, for: sharedKey, lifetime: coding.lifetime)
        results?.keep(framed, for: StoredKey(sharedKey, labels: labels), began: began)
    }

    /// Removes from memory the values of all keys that meet a condition, and returns these values.
    package func forgetAll(where isRemoved: (String) -> Bool) -> [Value] { memory.removeAll(where: isRemoved) }

    /// Removes a value from memory.
    package func forget(_ key: String) { memory.remove(key) }
}
