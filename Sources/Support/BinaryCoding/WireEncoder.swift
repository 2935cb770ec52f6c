/// Encodes values sequentially, with a fraction of the time and bytes of JSON.
///
/// ``WireDecoder`` reads the values in the same order, because both sides use the same synthesised conformances in the
/// same program. Each member is preceded by a mark that is a hash of its name, so that an omitted member is detected.
/// Each element of an array is also preceded by a mark.
struct WireEncoder: Encoder {
    let writer: WireWriter
    let depth: Int
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(Keyed<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { Unkeyed(encoder: self) }

    func singleValueContainer() -> any SingleValueEncodingContainer { Single(encoder: self) }

    private var inner: WireEncoder { WireEncoder(writer: writer, depth: depth + 1) }

    private func put<Value: Encodable>(_ value: Value) throws {
        if let simple = WireTypes.simple[ObjectIdentifier(Value.self)] {
            put(value, as: simple)
        } else {
            try value.encode(to: inner)
        }
    }

    private func put<Simple: WireValue>(_ value: some Encodable, as type: Simple.Type) {
        if let simple = value as? Simple { simple.write(to: writer) }
    }

    // The generic methods below also implement the overloads for simple types.

    private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let encoder: WireEncoder
        var codingPath: [any CodingKey] { [] }

        mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
            encoder.writer.put(WireMark.member(key, depth: encoder.depth))
            try encoder.put(value)
        }

        // A nil member is omitted.
        mutating func encodeNil(forKey key: Key) {}

        mutating func nestedContainer<NestedKey: CodingKey>(
            keyedBy keyType: NestedKey.Type,
            forKey key: Key
        ) -> KeyedEncodingContainer<NestedKey> {
            encoder.writer.put(WireMark.enumerationCase)
            key.stringValue.write(to: encoder.writer)
            return encoder.inner.container(keyedBy: keyType)
        }

        mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            encoder.writer.put(WireMark.member(key, depth: encoder.depth))
            return encoder.inner.unkeyedContainer()
        }

        mutating func superEncoder() -> any Encoder { encoder.inner }

        mutating func superEncoder(forKey key: Key) -> any Encoder { encoder.inner }
    }

    private struct Unkeyed: UnkeyedEncodingContainer {
        let encoder: WireEncoder
        private let place: Int
        private(set) var count = 0
        var codingPath: [any CodingKey] { [] }

        init(encoder: WireEncoder) {
            self.encoder = encoder
            place = encoder.writer.reserveCount()
        }

        private mutating func next() {
            count += 1
            encoder.writer.setCount(count, at: place)
            encoder.writer.put(WireMark.element)
        }

        mutating func encode<Value: Encodable>(_ value: Value) throws {
            next()
            try encoder.put(value)
        }

        mutating func encodeNil() {
            next()
            encoder.writer.put(WireMark.none)
        }

        mutating func nestedContainer<NestedKey: CodingKey>(
            keyedBy keyType: NestedKey.Type
        ) -> KeyedEncodingContainer<NestedKey> {
            next()
            return encoder.inner.container(keyedBy: keyType)
        }

        mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
            next()
            return encoder.inner.unkeyedContainer()
        }

        mutating func superEncoder() -> any Encoder { encoder.inner }
    }

    private struct Single: SingleValueEncodingContainer {
        let encoder: WireEncoder
        var codingPath: [any CodingKey] { [] }

        mutating func encode<Value: Encodable>(_ value: Value) throws {
            encoder.writer.put(WireMark.some)
            try encoder.put(value)
        }

        mutating func encodeNil() { encoder.writer.put(WireMark.none) }
    }
}

/// A byte buffer that grows.
final class WireWriter {
    private(set) var bytes: [UInt8] = []

    init() { bytes.reserveCapacity(1024) }

    /// Writes a number in little-endian order.
    func put(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    func put(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

    /// Reserves space for a count, and returns its position.
    func reserveCount() -> Int {
        put(UInt32(0))
        return bytes.count - 4
    }

    /// Writes a count into reserved space.
    func setCount(_ count: Int, at place: Int) {
        for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: count >> (8 * index)) }
    }
}

/// Marks that precede values and identify the kind of each value.
enum WireMark {
    /// An element of an array.
    static let element: UInt16 = 0xFFFF
    /// The name of an enumeration's case.
    static let enumerationCase: UInt16 = 0xFFFE
    /// An absent value.
    static let none: UInt16 = 0xFFFD
    /// The value of an optional that is not nil.
    static let some: UInt16 = 0xFFFC

    /// Returns the mark of a struct's member: the FNV-1a hash of its name, folded to a number that is less than the
    /// marks above.
    ///
    /// The depth distinguishes the last member of a struct, if it is omitted, from a member with the same name after
    /// the struct.
    static func member(_ key: some CodingKey, depth: Int) -> UInt16 {
        var hash: UInt32 = 2_166_136_261 ^ UInt32(truncatingIfNeeded: depth)
        for byte in key.stringValue.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        return UInt16(truncatingIfNeeded: (hash >> 16) ^ hash) & 0x7FFF
    }
}
