import Requests

/// A message to the client.
package struct Message: Sendable, Equatable {
    /// A JSON object.
    package var header: [UInt8]
    /// The bytes after the header.
    package var body: [UInt8]

    /// Creates a message whose header is a value as JSON.
    ///
    /// - Parameters:
    ///   - header: A value that is encoded as one object.
    ///   - body: The bytes after the header.
    package init(_ header: some Encodable, body: [UInt8] = []) {
        self.header = JSONDocument.bytes(of: header)
        self.body = body
    }

    /// The bytes before the body: both lengths (4 bytes each, big-endian) and the header.
    package var head: [UInt8] { Self.number(header.count) + Self.number(body.count) + header }

    private static func number(_ count: Int) -> [UInt8] {
        let number = UInt32(clamping: count)
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
