public import Synchronization

/// An in-memory cache backed by a shared store; `public` for the same reason as ``ByteCache``.
public final class TieredCache<Value: Sendable>: Sendable {
    /// Conversion between values and records of the shared store.
    package struct Coding: Sendable {
        /// Converts a value to a record; nil if the value must not be shared.
        package var encode: @Sendable (Value) -> SharedRecord?
        /// Converts a record, which is untrusted, to a value and its memory in bytes; nil for an invalid record.
        package var decode: @Sendable (SharedRecord) -> (value: Value, bytes: Int)?
        /// The time to live in the shared store.
        package var lifetime: Duration

        /// Creates a conversion with two functions.
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
    private let coding: Coding
    private let sharedHits = Atomic(0)

    /// Creates a cache with two levels.
    ///
    /// - Parameters:
    ///   - name: The start of the keys in the shared store.
    ///   - budget: Bytes in memory; 0 disables both levels.
    ///   - store: The shared store; nil for none.
    ///   - coding: Conversion to and from records.
    package init(name: String, budget: Int, store: (any SharedStore)?, coding: Coding) {
        memory = ByteCache(budget: budget)
        prefix = "\(name):"
        self.store = store
        self.coding = coding
    }

    /// Whether the cache stores anything.
    package var isEnabled: Bool { memory.isEnabled }

    /// Counters since the process started, and the current content.
    package var statistics: CacheStatistics {
        var statistics = memory.statistics
        statistics.sharedHits = sharedHits.load(ordering: .relaxed)
        return statistics
    }

    /// Returns the value in memory.
    public func value(for key: String) -> Value? { memory.value(for: key) }

    /// Returns the value in memory, without counting the lookup.
    package func peek(_ key: String) -> Value? { memory.value(for: key, isCounted: false) }

    /// Returns the value of a key after a miss, if it has since been stored in memory, or if it is in the shared store.
    ///
    /// A value from the shared store is also stored in memory.
    package func missedValue(for key: String) async -> (value: Value, isShared: Bool)? {
        if let value = memory.value(for: key, isCounted: false) { return (value, false) }
        guard isEnabled, let store else { return nil }
        let sharedKey = prefix + key
        guard let bytes = await store.bytes(for: sharedKey),
            let record = SharedRecord(framed: bytes, for: sharedKey),
            let (value, size) = coding.decode(record)
        else { return nil }
        sharedHits.add(1, ordering: .relaxed)
        memory.store(value, for: key, bytes: size)
        return (value, true)
    }

    /// Stores a value in memory and in the shared store.
    ///
    /// - Parameters:
    ///   - value: The value of the key.
    ///   - key: Any text.
    ///   - bytes: The memory of the value.
    ///   - isShared: Whether to write the value to the shared store in addition to memory.
    package func keep(_ value: Value, for key: String, bytes: Int, isShared: Bool = true) {
        guard isEnabled else { return }
        memory.store(value, for: key, bytes: bytes)
        guard isShared, let store, let record = coding.encode(value) else { return }
        let sharedKey = prefix + key
        store.keep(record.framed(for: sharedKey), for: sharedKey, lifetime: coding.lifetime)
    }

    /// Removes the values of all keys that meet a condition from memory, and returns them.
    package func forgetAll(where isRemoved: (String) -> Bool) -> [Value] { memory.removeAll(where: isRemoved) }

    /// Removes a value from memory.
    package func forget(_ key: String) { memory.remove(key) }
}
