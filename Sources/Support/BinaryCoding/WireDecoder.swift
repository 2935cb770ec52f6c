/// Decodes the output of ``WireEncoder`` from untrusted bytes.
///
/// Invalid bytes cause an error. Memory is allocated only for bytes that are present.
struct WireDecoder: Decoder {
    /// The error for bytes that are not a valid encoding.
    struct Malformed: Error {}

    let reader: WireReader
    let depth: Int
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Keyed<Key>(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try Unkeyed(decoder: self) }

    func singleValueContainer() -> any SingleValueDecodingContainer { Single(decoder: self) }

    private var inner: WireDecoder { WireDecoder(reader: reader, depth: depth + 1) }

    private func take<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard let simple = WireTypes.simple[ObjectIdentifier(type)] else { return try Value(from: inner) }
        guard let value = try simple.init(from: reader) as? Value else { throw Malformed() }
        return value
    }

    private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let decoder: WireDecoder
        var codingPath: [any CodingKey] { [] }

        /// The name of the next enumeration case; used only to decode enumerations.
        var allKeys: [Key] { decoder.reader.peekCase().flatMap(Key.init).map { [$0] } ?? [] }

        private func mark(_ key: Key) -> UInt16 { WireMark.member(key, depth: decoder.depth) }

        func contains(_ key: Key) -> Bool { decoder.reader.comes(mark(key)) }

        func decodeNil(forKey key: Key) -> Bool { !contains(key) }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            try decoder.reader.expect(mark(key))
            return try decoder.take(type)
        }

        func nestedContainer<NestedKey: CodingKey>(
            keyedBy type: NestedKey.Type,
            forKey key: Key
        ) throws -> KeyedDecodingContainer<NestedKey> {
            try decoder.reader.expect(WireMark.enumerationCase)
            guard try String(from: decoder.reader) == key.stringValue else { throw Malformed() }
            return decoder.inner.container(keyedBy: type)
        }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            try decoder.reader.expect(mark(key))
            return try decoder.inner.unkeyedContainer()
        }

        func superDecoder() -> any Decoder { decoder.inner }

        func superDecoder(forKey key: Key) -> any Decoder { decoder.inner }
    }

    private struct Unkeyed: UnkeyedDecodingContainer {
        let decoder: WireDecoder
        private let total: Int
        private(set) var currentIndex = 0
        var codingPath: [any CodingKey] { [] }
        /// Always nil, because an array would reserve memory for the declared count, which may be false.
        var count: Int? { nil }
        var isAtEnd: Bool { currentIndex == total }

        init(decoder: WireDecoder) throws {
            self.decoder = decoder
            total = Int(try decoder.reader.number(UInt32.self))
        }

        private mutating func next() throws {
            guard !isAtEnd else { throw Malformed() }
            try decoder.reader.expect(WireMark.element)
            currentIndex += 1
        }

        mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            try next()
            return try decoder.take(type)
        }

        // An optional element decodes its own mark in the single value container.
        mutating func decodeNil() -> Bool { false }

        mutating func nestedContainer<NestedKey: CodingKey>(
            keyedBy type: NestedKey.Type
        ) throws -> KeyedDecodingContainer<NestedKey> {
            try next()
            return decoder.inner.container(keyedBy: type)
        }

        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
            try next()
            return try decoder.inner.unkeyedContainer()
        }

        mutating func superDecoder() -> any Decoder { decoder.inner }
    }

    private struct Single: SingleValueDecodingContainer {
        let decoder: WireDecoder
        var codingPath: [any CodingKey] { [] }

        func decodeNil() -> Bool {
            guard decoder.reader.comes(WireMark.none) else { return false }
            decoder.reader.skipMark()
            return true
        }

        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            try decoder.reader.expect(WireMark.some)
            return try decoder.take(type)
        }
    }
}

/// Reads bytes sequentially.
final class WireReader {
    private let all: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { all = bytes }

    var isAtEnd: Bool { position == all.count }

    func bytes(_ count: Int) throws -> ArraySlice<UInt8> {
        guard count <= all.count - position else { throw WireDecoder.Malformed() }
        defer { position += count }
        return all[position..<position + count]
    }

    func number<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
        try bytes(Number.bitWidth / 8).reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }

    func comes(_ mark: UInt16) -> Bool {
        position + 2 <= all.count && UInt16(all[position]) | UInt16(all[position + 1]) << 8 == mark
    }

    /// Skips a mark that ``comes(_:)`` has found.
    func skipMark() { position += 2 }

    func expect(_ mark: UInt16) throws {
        guard comes(mark) else { throw WireDecoder.Malformed() }
        skipMark()
    }

    /// Returns the name of the next enumeration case; nil if the next value is not a case.
    func peekCase() -> String? {
        guard comes(WireMark.enumerationCase) else { return nil }
        let start = position
        defer { position = start }
        skipMark()
        return try? String(from: self)
    }
}
