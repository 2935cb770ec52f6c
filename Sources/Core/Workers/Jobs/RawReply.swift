import BinaryCoding

/// A worker process's reply to a job, before validation.
package struct RawReply {
    /// The encoded description of the outcome.
    package let head: [UInt8]
    /// The length of the body, which follows the head, in bytes.
    package let bodyBytes: Int
    private let read: (_ offset: Int, _ count: Int) throws -> [UInt8]

    /// Creates a reply whose body is read in parts.
    ///
    /// - Parameters:
    ///   - head: The encoded description of the outcome.
    ///   - bodyBytes: The length of the body in bytes.
    ///   - read: Reads a part of the body. Throws if the part is missing.
    package init(
        head: [UInt8],
        bodyBytes: Int,
        read: @escaping (_ offset: Int, _ count: Int) throws -> [UInt8]
    ) {
        self.head = head
        self.bodyBytes = bodyBytes
        self.read = read
    }

    /// Decodes the head.
    ///
    /// - Throws: ``InvalidReply/unreadable``.
    package func value<Value: Decodable>(_ type: Value.Type) throws(InvalidReply) -> Value {
        do { return try BinaryCoder.value(type, from: head) } catch { throw .unreadable }
    }

    /// Reads a part of the body.
    ///
    /// - Parameters:
    ///   - offset: The offset of the first byte from the start of the body.
    ///   - count: The number of bytes.
    /// - Returns: The bytes.
    /// - Throws: An error of the process if the part is missing.
    package func body(at offset: Int, count: Int) throws -> [UInt8] { try read(offset, count) }
}
