/// A compact binary coding for the jobs and results of worker processes, and for records in Redis.
///
/// The layout follows from the types' `Codable` conformances and has no version: encoder and decoder must be the same
/// program. Coding a job takes a fraction of the time and the bytes of JSON.
package enum BinaryCoder {
    /// Encodes a value.
    ///
    /// - Throws: `EncodingError` if a number is not finite.
    package static func bytes(of value: some Encodable) throws -> [UInt8] { try WireEncoder.bytes(of: value) }

    /// Decodes a value from untrusted bytes.
    ///
    /// - Throws: `DecodingError` if the bytes are not a valid encoding of such a value.
    package static func value<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        try WireDecoder.value(type, from: bytes)
    }
}
