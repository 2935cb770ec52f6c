import Synchronization

/// A cache in memory with a shared store behind it.
package final class TieredCache<Value: Sendable>: Sendable {
    /// How values become records and back, for the shared store.
    package struct Coding: Sendable {
        /// The record of a value; nil for one that is not to be shared.
        package var encode: @Sendable (Value) -> SharedRecord?
        /// The value of a record and the bytes that it takes; nil for one that cannot be used.
        ///
        /// Records are strangers' bytes.
        package var decode: @Sendable (SharedRecord) -> (value: Value, bytes: Int)?
        /// How long the shared store keeps one.
        package var lifetime: Duration

        /// As given.
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

    /// A cache.
    ///
    /// - Parameters:
    ///   - name: Begins the keys in the shared store.
    ///   - budget: Bytes in memory; 0 switches the cache off, the shared store included.
    ///   - store: The shared store; nil for none.
    ///   - coding: How values get there and back.
    package init(name: String, budget: Int, store: (any SharedStore)?, coding: Coding) {
        memory = ByteCache(budget: budget)
        prefix = "\(name):"
        self.store = store
        self.coding = coding
    }

    /// Whether anything is ever kept.
    package var isEnabled: Bool { memory.isEnabled }

    /// What it has done, and holds.
    package var statistics: CacheStatistics {
        var statistics = memory.statistics
        statistics.sharedHits = sharedHits.load(ordering: .relaxed)
        return statistics
    }

    /// The value in memory.
    package func value(for key: String) -> Value? { memory.value(for: key) }

    /// The value in memory, for one who asks for it properly afterwards.
    package func peek(_ key: String) -> Value? { memory.value(for: key, isCounted: false) }

    /// The value that came into memory since it was missed, or that another process left in the shared store; from now on
    /// it is in memory as well.
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

    /// Keeps a value in memory, and shares it.
    ///
    /// - Parameters:
    ///   - value: Of the key.
    ///   - key: Any text.
    ///   - bytes: What the value takes.
    ///   - isShared: Whether the shared store gets it too.
    package func keep(_ value: Value, for key: String, bytes: Int, isShared: Bool = true) {
        guard isEnabled else { return }
        memory.store(value, for: key, bytes: bytes)
        guard isShared, let store, let record = coding.encode(value) else { return }
        let sharedKey = prefix + key
        store.keep(record.framed(for: sharedKey), for: sharedKey, lifetime: coding.lifetime)
    }

    /// Forgets what is in memory.
    package func forget(_ key: String) { memory.remove(key) }
}
