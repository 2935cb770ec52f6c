import CZlib
import Synchronization

/// An in-memory cache backed by a shared store.
package final class TieredCache<Value: Sendable>: Sendable {
    /// Conversion between values and records of the shared store.
    package struct Coding: Sendable {
        /// The record of a value; nil if the value must not be shared.
        package var encode: @Sendable (Value) -> SharedRecord?
        /// The value of a record, which is untrusted, and its memory in bytes; nil for an invalid record.
        package var decode: @Sendable (SharedRecord) -> (value: Value, bytes: Int)?
        /// The time to live in the shared store.
        package var lifetime: Duration

        /// A conversion by two functions.
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

    /// A cache with `budget` bytes in memory, 0 to disable it, and a store in which its keys begin with `name`.
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

    /// The value in memory.
    package func value(for key: String) -> Value? { memory.value(for: key) }

    /// The value in memory, without counting the lookup.
    package func peek(_ key: String) -> Value? { memory.value(for: key, isCounted: false) }

    /// The value of a key after a miss, if it was stored in memory since or is in the shared store, and then in memory.
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

    /// Stores a value of `bytes` in memory, and with `isShared` in the shared store as well.
    package func keep(_ value: Value, for key: String, bytes: Int, isShared: Bool = true) {
        guard isEnabled else { return }
        memory.store(value, for: key, bytes: bytes)
        guard isShared, let store, let record = coding.encode(value) else { return }
        let sharedKey = prefix + key
        store.keep(record.framed(for: sharedKey), for: sharedKey, lifetime: coding.lifetime)
    }

    /// Removes a value from memory.
    package func forget(_ key: String) { memory.remove(key) }
}

/// A second cache level, shared with other processes.
///
/// It may be slow, full or unavailable: lookups then return nil quickly, and writes are dropped.
package protocol SharedStore: Sendable {
    /// The bytes of a key; nil if there are none, or they are not available in time.
    func bytes(for key: String) async -> [UInt8]?

    /// Stores bytes in the background, on a best-effort basis.
    func keep(_ bytes: [UInt8], for key: String, lifetime: Duration)
}

/// A value as stored in a shared store: a head that describes it, and a body.
///
/// The frame has a mark, both lengths in 8 bytes each (little-endian), and a CRC-32 over key, head and body, which
/// detects truncated or changed bytes and bytes stored under another key. The checksum protects against accidents
/// only: anyone with write access to the store can compute a valid one.
package struct SharedRecord: Hashable, Sendable {
    /// The description of the value.
    package var head: [UInt8]
    /// The value's bytes; empty if the head contains all of it.
    package var body: [UInt8]

    private static let mark: [UInt8] = Array("HRC1".utf8)
    private static let frameBytes = mark.count + 8 + 8 + 4

    package init(head: [UInt8], body: [UInt8] = []) {
        self.head = head
        self.body = body
    }

    /// The record with its frame.
    package func framed(for key: String) -> [UInt8] {
        var bytes = Self.mark
        bytes.reserveCapacity(Self.frameBytes + head.count + body.count)
        Self.append(UInt64(head.count), to: &bytes)
        Self.append(UInt64(body.count), to: &bytes)
        Self.append(checksum(key), to: &bytes)
        bytes += head
        bytes += body
        return bytes
    }

    /// Parses a framed record; nil if it is damaged, or stored under another key.
    package init?(framed bytes: [UInt8], for key: String) {
        guard bytes.count >= Self.frameBytes, bytes.starts(with: Self.mark) else { return nil }
        var offset = Self.mark.count
        let headCount: UInt64 = Self.number(bytes, &offset)
        let bodyCount: UInt64 = Self.number(bytes, &offset)
        let checksum: UInt32 = Self.number(bytes, &offset)
        let rest = UInt64(bytes.count - offset)
        guard headCount <= rest, bodyCount == rest - headCount else { return nil }
        head = Array(bytes[offset..<(offset + Int(headCount))])
        body = Array(bytes[(offset + Int(headCount))...])
        guard checksum == self.checksum(key) else { return nil }
    }

    private func checksum(_ key: String) -> UInt32 {
        var sum = crc32_z(0, nil, 0)
        for part in [Array(key.utf8), head, body] { sum = crc32_z(sum, part, part.count) }
        return UInt32(truncatingIfNeeded: sum)
    }

    private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private static func number<Number: FixedWidthInteger>(_ bytes: [UInt8], _ offset: inout Int) -> Number {
        let end = offset + MemoryLayout<Number>.size
        defer { offset = end }
        return bytes[offset..<end].reversed().reduce(0) { $0 << 8 | Number($1) }
    }
}
