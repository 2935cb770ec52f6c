/// A compact binary coding for the jobs and results of worker processes, and for records in Redis.
///
/// The layout follows from the `Codable` conformances of the types and does not contain a version, so encoder and
/// decoder must be the same program. Coding a job takes a fraction of the time and bytes of JSON.
package enum BinaryCoder {
    /// Encodes a value.
    ///
    /// - Throws: The error of a type's own `encode(to:)`. Every number can be encoded, including non-finite numbers.
    package static func bytes(of value: some Encodable) throws -> [UInt8] {
        let encoder = WireEncoder(writer: WireWriter(), depth: 0)
        try value.encode(to: encoder)
        return encoder.writer.bytes
    }

    /// Decodes a value from untrusted bytes.
    ///
    /// Throws an error if the bytes are not a valid encoding of a value of this type.
    package static func value<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        let reader = WireReader(bytes)
        let value = try Value(from: WireDecoder(reader: reader, depth: 0))
        guard reader.isAtEnd else { throw WireDecoder.Malformed() }
        return value
    }
}

/// A value with a fixed encoding.
protocol WireValue: Sendable {
    func write(to writer: WireWriter)
    init(from reader: WireReader) throws
}

/// The types that conform to ``WireValue``.
enum WireTypes {
    /// The types by their identity.
    ///
    /// A lookup is faster than a cast to ``WireValue``. When the cast is first used for any other type, it searches all
    /// conformances in the program, which takes an eighth of the start time of a worker.
    static let simple: [ObjectIdentifier: any WireValue.Type] = {
        let types: [any WireValue.Type] = [
            Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self, UInt16.self, UInt32.self,
            UInt64.self, Bool.self, Double.self, Float.self, String.self,
        ]
        return types.reduce(into: [:]) { $0[ObjectIdentifier($1)] = $1 }
    }()
}

extension WireValue where Self: FixedWidthInteger {
    func write(to writer: WireWriter) { writer.put(self) }
    init(from reader: WireReader) throws { self = try reader.number(Self.self) }
}

extension Int: WireValue {}
extension Int8: WireValue {}
extension Int16: WireValue {}
extension Int32: WireValue {}
extension Int64: WireValue {}
extension UInt: WireValue {}
extension UInt8: WireValue {}
extension UInt16: WireValue {}
extension UInt32: WireValue {}
extension UInt64: WireValue {}

extension Bool: WireValue {
    func write(to writer: WireWriter) { writer.put(UInt8(self ? 1 : 0)) }
    init(from reader: WireReader) throws { self = try reader.number(UInt8.self) != 0 }
}

extension Double: WireValue {
    func write(to writer: WireWriter) { writer.put(bitPattern) }
    init(from reader: WireReader) throws { self.init(bitPattern: try reader.number(UInt64.self)) }
}

extension Float: WireValue {
    func write(to writer: WireWriter) { writer.put(bitPattern) }
    init(from reader: WireReader) throws { self.init(bitPattern: try reader.number(UInt32.self)) }
}

extension String: WireValue {
    func write(to writer: WireWriter) {
        writer.put(UInt32(utf8.count))
        writer.put(utf8)
    }

    init(from reader: WireReader) throws {
        let count = Int(try reader.number(UInt32.self))
        self.init(decoding: try reader.bytes(count), as: UTF8.self)
    }
}
